import { defineConfig } from 'oxlint';

type Ban = { readonly name: string; readonly message: string };
type PropertyBan = { readonly object: string; readonly property: string; readonly message: string };

const CLOCK = 'Time comes in: core takes `now` as an argument, everything else asks the Clock port.';
const TIMER = 'Timers belong to the Clock port (`clock.setTimer`), so that the whole gateway can run in virtual time.';
const CHANCE = 'Chance comes in: core takes a number as an argument, everything else asks the Random port.';
const PROCESS = 'Only the edges know the process: take the value as an argument from src/app or src/cli.';
const CONSOLE =
  'Print through the Telemetry port, so that secrets are redacted; only src/cli and src/app write to the terminal.';
const WEB_STREAM = 'Web streams cost more than all the rest of a request: use the HttpClient port and byte chunks.';
const NODE_MODULE = 'This folder is pure or sans-I/O: add what you need to a port and implement it in src/adapter.';

const bans = (names: readonly string[], message: string): Ban[] => names.map((name) => ({ name, message }));

const WEB = [
  ...bans(
    ['fetch', 'Request', 'Response', 'Headers'],
    'Upstream calls go through the HttpClient port; `fetch` is ten times slower.',
  ),
  ...bans(
    [
      'ReadableStream',
      'WritableStream',
      'TransformStream',
      'TextDecoderStream',
      'TextEncoderStream',
      'CompressionStream',
      'DecompressionStream',
    ],
    WEB_STREAM,
  ),
];
const TIMERS = bans(
  ['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval', 'clearImmediate'],
  TIMER,
);
const TIME = [...TIMERS, ...bans(['performance'], CLOCK)];
const EDGE = [...bans(['process'], PROCESS), ...bans(['console'], CONSOLE)];
const HIDDEN = bans(
  ['globalThis', 'global', 'self'],
  'A global by another name: the bans of this folder hold for it as well.',
);

const IMPURE: PropertyBan[] = [
  { object: 'Date', property: 'now', message: CLOCK },
  { object: 'Math', property: 'random', message: CHANCE },
  { object: 'crypto', property: 'randomUUID', message: CHANCE },
  { object: 'crypto', property: 'getRandomValues', message: CHANCE },
];

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'vitest', 'node'],
  categories: { correctness: 'error', suspicious: 'error' },
  env: { builtin: true, node: true },
  ignorePatterns: ['test/conformance/judge', 'node_modules', 'coverage', 'dist'],
  rules: {
    complexity: ['error', 15],
    'max-lines': ['error', { max: 400, skipBlankLines: false, skipComments: false }],
    'max-lines-per-function': ['error', { max: 80, skipBlankLines: false, skipComments: false, IIFEs: true }],
    eqeqeq: ['error', 'always', { null: 'ignore' }],
    'vitest/valid-expect': ['error', { maxArgs: 2 }],
    'no-shadow': 'off',
    'no-await-in-loop': 'off',
    'no-underscore-dangle': 'off',
    'import/no-default-export': 'error',
    'import/no-cycle': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/await-thenable': 'error',
    'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    'typescript/consistent-type-imports': 'error',
    'typescript/only-throw-error': 'error',
    'typescript/no-unsafe-type-assertion': 'off',
    'typescript/no-misused-spread': ['error', { allow: ['string'] }],
    // The compiler's `noImplicitReturns` knows exhaustive switches.
    'typescript/consistent-return': 'off',
    // Rows of tables have a `then`; nobody awaits a row.
    'unicorn/no-thenable': 'off',
    // Laws say different things of different inputs.
    'vitest/no-conditional-expect': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'unicorn/no-array-sort': 'off',
    'unicorn/no-array-reverse': 'off',
  },
  overrides: [
    {
      files: ['src/**/*.ts'],
      rules: {
        'no-restricted-globals': ['error', ...WEB, ...TIME, ...EDGE],
        'no-restricted-properties': ['error', ...IMPURE],
      },
    },
    {
      files: [
        'src/core/**/*.ts',
        'src/protocol/**/*.ts',
        'src/provider/**/*.ts',
        'src/port/**/*.ts',
        'src/engine/**/*.ts',
      ],
      rules: {
        'no-restricted-globals': ['error', ...WEB, ...TIME, ...EDGE, ...HIDDEN],
        'no-restricted-imports': ['error', { patterns: [{ group: ['node:*'], message: NODE_MODULE }] }],
      },
    },
    {
      files: ['src/adapter/**/*.ts', 'src/app/**/*.ts'],
      rules: {
        'no-restricted-globals': ['error', ...WEB],
        'no-restricted-properties': 'off',
      },
    },
    {
      files: ['src/cli/**/*.ts'],
      rules: { 'no-restricted-globals': ['error', ...WEB, ...TIME] },
    },
    {
      files: ['src/**/types.ts'],
      rules: { 'max-lines': 'off' },
    },
    {
      files: ['**/*.test.ts', 'test/**/*.ts', 'tools/**'],
      rules: {
        'no-restricted-globals': 'off',
        'no-restricted-properties': 'off',
        'no-restricted-imports': 'off',
        'max-lines-per-function': 'off',
        'import/no-cycle': 'off',
      },
    },
    {
      // What is drawn is long and plain.
      files: ['dashboard/src/**/*.{ts,tsx}'],
      rules: {
        'max-lines-per-function': ['error', { max: 140, skipBlankLines: false, skipComments: false, IIFEs: true }],
        'import/no-unassigned-import': ['error', { allow: ['**/*.css'] }],
      },
    },
    {
      files: ['**/*.config.ts'],
      rules: { 'import/no-default-export': 'off' },
    },
  ],
});
