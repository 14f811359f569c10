export { type Result, resultOf } from '../../core/failure/result-of.ts';
