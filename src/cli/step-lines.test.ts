import { expect, it } from 'vitest';
import { renderSteps } from './step-lines.ts';

const paint = { typed: (text: string) => text, note: (text: string) => text };
const STEPS = [
  ['understudy serve', 'then ask http://127.0.0.1:4180/v1'],
  ['understudy doctor --offline', 'is it right?'],
] as const;

it.each([null, 66, 65])('puts what a command is for behind it, or above it where that is too wide (%s)', (columns) => {
  const lines = renderSteps(STEPS, { indent: '  ', columns, paint });
  expect(lines).toEqual(
    columns === 65
      ? [
          '  # then ask http://127.0.0.1:4180/v1',
          '  understudy serve',
          '  # is it right?',
          '  understudy doctor --offline',
        ]
      : [
          '  understudy serve             # then ask http://127.0.0.1:4180/v1',
          '  understudy doctor --offline  # is it right?',
        ],
  );
});
