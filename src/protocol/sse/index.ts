export * from './block.ts';
export * from './split.ts';
