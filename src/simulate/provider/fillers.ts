/** What a proxy answers with. */
export const PAGE =
  '<!doctype html>\n<html><head><title>Bad gateway</title></head><body><h1>The upstream is not there.</h1></body></html>\n';

/** Five megabytes, more than a gateway may hold of one frame. */
export const PADDING = 'x'.repeat(5 << 20);

/** A comment that says nothing; an hour of them. */
export const FLOOD = { bytes: ': still here\n\n', ms: 100, times: 36_000 } as const;

/** The same where comments have no place. */
export const BLANK_FLOOD = { bytes: '\n', ms: 100, times: 36_000 } as const;

export const NO_ANSWER = 'upstream connect error or disconnect before headers';
