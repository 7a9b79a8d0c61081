/** Before a run: the directory of the bundles that its test files share (`built.ts`). After it, the directory is removed. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtVariable, stateOf } from './built.ts';

export async function setup(): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'gateway-built-'));
  // Processes of tests are started later, and have this environment.
  process.env[builtVariable] = directory;
  await mkdir(stateOf(directory));
  return async () => {
    for (const made of [directory, stateOf(directory)]) await rm(made, { recursive: true, force: true });
  };
}
