/**
 * `npm run rehearse`: for all stacks on every host, what would stay behind after a failure at each resource of a first deployment. Exits
 * with 1 if that is something unexpected, or in the way of the next attempt.
 */
import { failuresOf, failureTable, mayStay, surprisesIn } from './failures.ts';
import { templatesOfEveryHost } from './templates.ts';

for (const { compute, ...templates } of templatesOfEveryHost()) {
  for (const name of ['data', 'gateway', 'admin'] as const) {
    const template = templates[name];
    if (!template) continue;
    const failures = failuresOf(template);
    const surprises = surprisesIn(failures, mayStay[name]);
    console.log(`\ncompute=${compute}, the stack "${name}": ${failures.length} resources`);
    console.log(failureTable(failures));
    for (const surprise of surprises) console.log(`UNEXPECTED: ${surprise}`);
    if (surprises.length > 0) process.exitCode = 1;
  }
}
if (process.exitCode !== 1)
  console.log('\nNothing unexpected: the next attempt succeeds after each failure.');
