/**
 * Before a run: the directory of the bundles that its test files share (`built.ts`), and that of what Node compiles, which its processes
 * share. After it, both are removed.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtVariable, stateOf } from './built.ts';

export async function setup(): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'gateway-built-'));
  // Processes of tests are started later, and have this environment.
  process.env[builtVariable] = directory;
  process.env.NODE_COMPILE_CACHE = join(stateOf(directory), 'compiled');
  await mkdir(stateOf(directory));
  return async () => {
    // A process of the tests that is ending may still write what it has compiled.
    for (const made of [directory, stateOf(directory)])
      await rm(made, { recursive: true, force: true, maxRetries: 20 });
  };
}
