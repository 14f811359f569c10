/** How a word in a line looks that leads somewhere. */
export const LINK = 'underline decoration-line-strong underline-offset-4 hover:decoration-ink';
