/** The bundles of the sources, each built once in a whole run, by the first test that asks for it. */
import { access, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { buildFunction, bundles } from '../../infra/build.ts';
import { mapConcurrently } from '../../lib/async/map-concurrently.ts';

/** The environment variable with the directory of a run's bundles. */
export const builtVariable = 'GATEWAY_TEST_BUNDLES';

/** The directory of what is known of the bundles, beside theirs. */
export const stateOf = (directory: string): string => `${directory}-state`;

const longestBuildMs = 120_000;

/** Builds what is not built yet. The directory that it returns has `<name>/index.mjs`, and is of all tests: do not change it. */
export async function built(...names: readonly string[]): Promise<string> {
  const directory = process.env[builtVariable];
  if (directory === undefined)
    throw new Error(`${builtVariable} is not set: see test/harness/build-directory.ts.`);
  await mapConcurrently(names, 4, (name) => buildOnce(name, directory));
  return directory;
}

async function buildOnce(name: string, directory: string): Promise<void> {
  const done = join(stateOf(directory), `${name}.done`);
  if (!(await isFirst(join(stateOf(directory), `${name}.begun`)))) return await untilExists(done);
  const entry = bundles[name];
  if (entry === undefined) throw new RangeError(`No bundle is named ${name}.`);
  await buildFunction(name, entry, directory);
  await writeFile(done, '');
}

/** Only one process can make a directory. */
async function isFirst(marker: string): Promise<boolean> {
  try {
    await mkdir(marker);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

async function untilExists(path: string): Promise<void> {
  const end = Date.now() + longestBuildMs;
  while (!(await exists(path))) {
    if (Date.now() > end) throw new Error(`${path} was not made: the test that builds it has failed.`);
    await setTimeout(50);
  }
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );
