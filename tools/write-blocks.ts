import { readFileSync, writeFileSync } from 'node:fs';
import { type Block, writeBlock } from './blocks.ts';

/** Puts printed blocks into a page of the repository; its path is relative to the top. */
export function writeBlocks(page: string, blocks: readonly Block[]): void {
  const file = new URL(`../${page}`, import.meta.url);
  writeFileSync(file, blocks.reduce(writeBlock, readFileSync(file, 'utf8')));
}
