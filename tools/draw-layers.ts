/** `npm run layers` draws who may import whom; with `-- --write` the drawing goes into ARCHITECTURE.md. */
import { drawLayers } from '../test/arch/layers.ts';
import { writeBlocks } from './write-blocks.ts';

if (process.argv.includes('--write')) writeBlocks('ARCHITECTURE.md', [{ name: 'layers', text: drawLayers() }]);
else console.log(drawLayers());
