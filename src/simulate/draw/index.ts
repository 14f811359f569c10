export { drawLongScenario } from './draw-long-scenario.ts';
export { drawScenario } from './draw-scenario.ts';
