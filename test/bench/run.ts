/** The command `npm run bench`. */
import { writeFirstRequest } from './commands/first-request.ts';
import { runLoad } from './commands/load.ts';
import { measure, measureColdStartsOnly, measureOperationsOnly, measureSome } from './commands/measure.ts';
import { measureStages } from './commands/stages.ts';
import { readOptions } from './options.ts';
import { withSession } from './session.ts';

const options = readOptions(process.argv.slice(2));
const work = {
  measure,
  some: measureSome,
  cold: measureColdStartsOnly,
  operations: measureOperationsOnly,
  stages: measureStages,
  'first-request': writeFirstRequest,
  load: runLoad,
}[options.mode];
await withSession((session) => work(session, options));
