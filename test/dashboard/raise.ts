// Stands the stage up and plays on it, to look at the pages by hand: node test/dashboard/raise.ts [rounds]
import { raiseStage } from './stage.ts';

const stage = await raiseStage();
process.once('SIGTERM', () => {
  stage.close();
  process.exit(0);
});
console.log(stage.url);
await stage.play(Number(process.argv[2] ?? 4));
