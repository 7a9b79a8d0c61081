/**
 * The command `npm run fuzz`: damages recorded answers, errors and requests, and looks for what handles them wrongly.
 *
 *     npm run fuzz -- --seconds 600 --target stream --seed 7
 *     npm run fuzz -- --target 'stream openai' --input /tmp/fuzz-….bin
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Finding, faultsWith, fuzz } from './fuzz.ts';
import { loadTargets } from './targets/targets.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    target: { type: 'string', default: '' },
    seed: { type: 'string', default: `${Date.now() % 1_000_000}` },
    input: { type: 'string' },
  },
});

const targets = (await loadTargets()).filter(({ name }) => name.startsWith(values.target));
if (targets.length === 0) throw new Error(`No target's name begins with '${values.target}'.`);
console.log(`Seed ${values.seed}, ${targets.length} targets.`);
for (const target of targets) {
  if (values.input !== undefined) {
    console.log(
      `${target.name}: ${(await faultsWith(target, readFileSync(values.input))).join('; ') || 'nothing is wrong'}`,
    );
    continue;
  }
  const ms = (1_000 * Number(values.seconds)) / targets.length;
  const { done, finding } = await fuzz(target, { seed: Number(values.seed), ms });
  console.log(`${target.name}: ${done} inputs`);
  if (finding) report(finding);
}

function report({ target, input, faults }: Finding): void {
  const file = join(tmpdir(), `fuzz-${target.replaceAll(' ', '-')}-${values.seed}.bin`);
  writeFileSync(file, input);
  console.log(`  wrong: ${faults.join('; ')}\n  the input: ${file}`);
  process.exitCode = 1;
}
