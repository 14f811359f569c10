/** `npm run tables` prints the failure, commit and transition tables; with `-- --write` they go into docs/failover.md. */

import { printTables, TABLES_PAGE } from './tables.ts';
import { writeBlocks } from './write-blocks.ts';

if (process.argv.includes('--write')) writeBlocks(TABLES_PAGE, printTables());
else
  console.log(
    printTables()
      .map(({ text }) => text)
      .join('\n\n'),
  );
