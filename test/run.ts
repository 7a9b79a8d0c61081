/**
 * The tests of `npm test`, with lint and types, or those of `npm run test:rest`: vitest.config.ts says which are which. Ends
 * with one line that counts what passed and what failed, and with exit code 0 only when nothing failed.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Count, countVariable } from './count-reporter.ts';

const bin = join(import.meta.dirname, '..', 'node_modules', '.bin');
const isRest = process.argv.includes('rest');
const noted = join(mkdtempSync(join(tmpdir(), 'gateway-test-')), 'count.json');

function run(command: string, ...parameters: string[]): boolean {
  const { status } = spawnSync(join(bin, command), parameters, {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  return status === 0;
}

function step(command: string, ...parameters: string[]): Count {
  const ok = run(command, ...parameters);
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 };
}

/** A run that ended early has at least one failure, and so has one with a file that could not be loaded. */
function tests(...projects: readonly string[]): Count {
  process.env[countVariable] = noted;
  const chosen = projects.map((name) => `--project=${name}`);
  const ok = run('vitest', 'run', ...chosen, '--reporter=default', '--reporter=./test/count-reporter.ts');
  try {
    const count: Count = JSON.parse(readFileSync(noted, 'utf8'));
    return ok ? count : { ...count, failed: Math.max(1, count.failed) };
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

const counts = isRest
  ? [tests('rest', 'measured')]
  : [
      step('biome', 'check', '.'),
      step('tsc', '--noEmit'),
      step('tsc', '--noEmit', '-p', 'dashboard'),
      tests('main'),
    ];
rmSync(join(noted, '..'), { recursive: true, force: true });
const total = (key: keyof Count) => counts.reduce((sum, count) => sum + count[key], 0);
const skipped = total('skipped') > 0 ? `, ${total('skipped')} skipped` : '';
console.log(`${total('passed')} passed, ${total('failed')} failed${skipped}`);
process.exitCode = total('failed') === 0 ? 0 : 1;
