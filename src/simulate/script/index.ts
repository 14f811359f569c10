export { checkScenario, fallbackModel, type ScenarioCheck } from './check-scenario.ts';
export { SCHEMA_LINE, scriptJsonSchemaText } from './json-schema.ts';
export { printScript } from './print-script.ts';
export { readScript, type Script, type ScriptResult } from './read-script.ts';
export { scriptSections } from './reference.ts';
export { estimateWork, type Work } from './work.ts';
