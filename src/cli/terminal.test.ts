import { describe, expect, it } from 'vitest';
import { createLiveLines } from './live-lines.ts';
import { createTerminal } from './terminal.ts';

/** Two terminals of which what is written is kept. */
function open(env: NodeJS.ProcessEnv = {}, isTTY = true) {
  const written: string[] = [];
  const stream = { isTTY, columns: 80, write: (text: string) => written.push(text) };
  return { terminal: createTerminal(stream, stream, env), text: () => written.join('') };
}

const HOSTILE =
  'a\u001b]0;title\u0007b\u001b[2J\u001b[8mc\u009b31md\u202ee\u2066f\u200bg\rh\u2028i\ud800j\u{e0041}k\u007f\u001b[1m';

describe('a terminal', () => {
  it.each(['out', 'err', 'raw'] as const)('is never given what it would act on: %s', (where) => {
    const { terminal, text } = open();
    terminal[where](`one\t${terminal.paint('red', 'two')}\n${HOSTILE}\n`);
    const rest = text().replaceAll('\u001b[31m', '').replaceAll('\u001b[39m', '');
    expect(text()).toContain('one\t\u001b[31mtwo\u001b[39m\n');
    expect(rest.replace(/[\n\t]/g, '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
    expect(rest).toContain('a\\u001b]0;title\\u0007b\\u001b[2J');
    expect(rest).toContain('c\\u009b31md\\u202ee');
    expect(rest).toContain('j\\udb40\\udc41k');
  });

  it('gets no paint where there is none of ours', () => {
    const { terminal, text } = open({ NO_COLOR: '1' });
    terminal.out(terminal.paint('red', 'x\u001b[31my'));
    expect(text()).toBe('x\\u001b[31my\n');
  });

  it('gives JSON that means the same', () => {
    const { terminal, text } = open({}, false);
    terminal.out(JSON.stringify({ model: HOSTILE, name: 'Ünïcode 漢 😀' }, null, 2));
    expect(JSON.parse(text())).toEqual({ model: HOSTILE, name: 'Ünïcode 漢 😀' });
    expect(text()).not.toMatch(/[\u202e\u009b\u2066]/);
    expect(text()).toContain('Ünïcode 漢 😀');
  });

  it('takes live lines back, whatever stands in them', () => {
    const { terminal, text } = open();
    const live = createLiveLines(terminal);
    live.status('going\u001b[5A on');
    live.print('done\u001b[1A');
    expect(text()).toBe('going\\u001b[5A on\n\u001b[1A\u001b[2K\rdone\\u001b[1A\ngoing\\u001b[5A on\n');
  });
});
