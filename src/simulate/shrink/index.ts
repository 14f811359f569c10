export { type ShrinkOptions, type Shrunk, shrinkScenario } from './shrink-scenario.ts';
