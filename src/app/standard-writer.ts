export { openStandardWriter } from '../adapter/log-pino/index.ts';
