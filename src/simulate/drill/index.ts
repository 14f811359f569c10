export { DRILL_FAULTS, type DrillFault, type Expectation } from './faults.ts';
export { isAsExpected, type Judgement, judgeAnswer, type RawAnswer, type Seen, type Shape } from './judge.ts';
export { DRILL_PROTOCOLS, type DrillProtocol, pathTo } from './protocols.ts';
