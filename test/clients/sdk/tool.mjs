// What every program on an SDK shares: the one tool, and an end that says so when something failed.
import { appendFileSync } from 'node:fs';

export const { GATEWAY: url, MODEL: model, PROMPT: prompt, KEY: apiKey, API: api } = process.env;
export const isStream = process.env.MODE === 'stream';

export const NAME = 'write_trace';
export const DESCRIPTION = 'Writes a line into the trace.';
export const PARAMETERS = {
  type: 'object',
  properties: { text: { type: 'string', description: 'The line.' } },
  required: ['text'],
};

/** Runs the tool: `input` is an object, or its JSON. */
export function runTool(name, input) {
  const { text } = typeof input === 'string' ? JSON.parse(input) : input;
  if (name !== NAME || typeof text !== 'string') throw new Error(`no such call: ${name} ${JSON.stringify(input)}`);
  appendFileSync('ran.txt', `${text}\n`);
  return 'written';
}

/** Plays turns until one has no call; `turn` runs the tools of one and tells whether there were any. */
export async function loop(turn) {
  try {
    for (let n = 0; n < 5; n += 1) {
      if (!(await turn())) return;
    }
    throw new Error('five turns, and still calls');
  } catch (error) {
    console.error(
      `error: ${error?.name} ${error?.status ?? error?.statusCode ?? ''} ${error?.message ?? JSON.stringify(error)}`,
    );
    process.exitCode = 1;
  }
}
