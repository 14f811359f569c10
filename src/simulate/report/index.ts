export { buildReport, type Reported, type ReportOptions } from './build-report.ts';
export { type Comparison, compareReports, type Difference, writeRate } from './compare-reports.ts';
export { drawTraffic } from './draw-traffic.ts';
export type * from './report.ts';
