/** Before a run: the directory of the bundles that its test files share (`built.ts`). After it, the directory is removed. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtVariable } from './built.ts';

export async function setup(): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'gateway-built-'));
  // Processes of tests are started later, and have this environment.
  process.env[builtVariable] = directory;
  return () => rm(directory, { recursive: true, force: true });
}
