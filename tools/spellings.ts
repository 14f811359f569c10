import { SPELLINGS, type SpellingEffect } from '../src/protocol/shared/spelling.ts';

const WORDS: Readonly<Record<SpellingEffect, readonly [answer: string, reason: string]>> = {
  decides: [
    '400, always',
    'some providers read names in any case or without underscores (Go, protocol buffers): they would go by a member that nobody here has checked',
  ],
  answers: [
    '400, unless it is null or the right spelling is set, too',
    'many providers leave out what they do not know without a word: the answer would be another one than was asked for, or not, by who gives it',
  ],
  wishes: [
    'goes to the provider as it came',
    'labels and wishes, which providers ignore anyway and clients spell as they like; so do all other names',
  ],
};

/** What becomes of members in other spellings, as Markdown. */
export function printSpellings(): string {
  const rows = Object.entries(WORDS).map(([effect, [answer, reason]]) => {
    const names = SPELLINGS.filter((row) => row[1] === effect).map(([member]) => `\`${member}\``);
    return `| ${names.join(', ')} | ${answer} | ${reason} |`;
  });
  return ['| meant is | another spelling | because |', '|---|---|---|', ...rows].join('\n');
}
