/** `npm run tables` prints the tables and codes that pages show; with `-- --write` they go into those pages. */

import { printPages } from './tables.ts';
import { writeBlocks } from './write-blocks.ts';

for (const { page, blocks } of printPages()) {
  if (process.argv.includes('--write')) writeBlocks(page, blocks);
  else console.log(`${blocks.map(({ text }) => text).join('\n\n')}\n`);
}
