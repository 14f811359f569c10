import { blame, type Draft } from './draft.ts';

/** One event of an event stream; comments and empty events are none. */
export type EventFrame = { readonly event: string | null; readonly data: string };

/** Cuts an event stream into its events, strictly: what is no line of the format is a fault, as is a frame without its end. */
export function readFrames(draft: Draft, text: string): readonly EventFrame[] {
  const blocks = toLines(text).split('\n\n');
  const rest = blocks.pop() ?? '';
  if (rest.trim() !== '') blame(draft, 'a frame that is not whole');
  const frames: EventFrame[] = [];
  for (const block of blocks) {
    const frame = readBlock(draft, block);
    if (frame !== null) frames.push(frame);
  }
  return frames;
}

const MARK = '\uFEFF';

/** Lines end in any of three ways, and a byte order mark in front is none of the text. */
function toLines(text: string): string {
  const bare = text.startsWith(MARK) ? text.slice(1) : text;
  return bare.includes('\r') ? bare.replaceAll(/\r\n?/g, '\n') : bare;
}

function readBlock(draft: Draft, block: string): EventFrame | null {
  let event: string | null = null;
  let data: string | null = null;
  for (const line of block.split('\n')) {
    if (line === '' || line.startsWith(':')) continue;
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (name === 'data') data = data === null ? value : `${data}\n${value}`;
    else if (name === 'event') event = value;
    else if (name !== 'id' && name !== 'retry') blame(draft, 'a line that is none of an event stream');
  }
  return data === null ? null : { event, data };
}

/** Events whose name stands in their data too: both must be the same. */
export function checkName(draft: Draft, { event }: EventFrame, type: string): void {
  if (event !== null && event !== type) blame(draft, 'an event that bears another name than its data');
}
