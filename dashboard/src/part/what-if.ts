/** What a provider may do in "what if": words of the simulator's script, and what they mean. */
export const TROUBLES = {
  down: { title: 'refuses connections', does: 'down' },
  overloaded: { title: 'is overloaded (529)', does: 'overloaded' },
  'rate-limited': { title: 'limits us (429, 20 s)', does: { status: 429, retryAfter: '20s' } },
  'out-of-credit': { title: 'has no credit left', does: 'out-of-credit' },
  'bad-key': { title: 'refuses the key', does: 'bad-key' },
  silent: { title: 'takes requests and says nothing', does: 'silent' },
  empty: { title: 'answers without a word', does: 'empty' },
  cut: {
    title: 'breaks off after ten words',
    does: { head: '200ms', firstWord: '300ms', word: '20ms', words: 20, closeAfterWords: 10 },
  },
} as const;

export type Trouble = keyof typeof TROUBLES;

/** A minute of two requests a second, in whose middle half a target is in trouble; all else answers as providers do. */
export const scriptOf = (target: string, trouble: Trouble) => ({
  for: '1m',
  asks: [{ rate: '2/s' }],
  providers: [
    { routes: target, from: '15s', until: '45s', does: TROUBLES[trouble].does },
    { routes: '*', does: { head: '200ms', firstWord: '300ms', word: '20ms', words: 20 } },
  ],
});
