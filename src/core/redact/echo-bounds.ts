/** The shortest echo. Shorter pieces of a request are words that any error may use. */
export const MIN_ECHO = 24;

/** What is compared: so many units of the words in a row, without what stands between them. */
export const PIECE = 20;

/** So many letters of a word that only ends, or begins, as one of the request does are told: they are the error's own. */
export const MAX_SHARED = 3;

/** Between two folded words. */
export const BLANK = ' ';
