import { expect, it } from 'vitest';
import { commandName } from './command-name.ts';

it.each([
  ['/usr/bin/understudy', '/home/me', '/bin:/usr/bin', 'understudy'],
  ['/src/us/bin/understudy', '/src/us', '/usr/bin', 'bin/understudy'],
  ['/src/us/bin/understudy', '/src/us/bin', '/usr/bin', './understudy'],
  ['/src/us/bin/understudy', '/home/me', '/usr/bin', '/src/us/bin/understudy'],
  [undefined, '/home/me', undefined, 'understudy'],
])('%s seen from %s', (script, cwd, path, name) => {
  expect(commandName(script, cwd, path)).toBe(name);
});
