/** The bundles of the sources, built once in a whole run, by the first test that asks for them. */
import { access, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { buildAll } from '../../build/build.ts';

/** The environment variable with the directory of a run's bundles. */
export const builtVariable = 'GATEWAY_TEST_BUNDLES';

/** The directory of what is known of the bundles, beside theirs. */
export const stateOf = (directory: string): string => `${directory}-state`;

const longestBuildMs = 600_000;

/** Builds everything, if no test has. The directory that it returns has `<name>/index.mjs`, and is of all tests: do not change it. */
export async function built(): Promise<string> {
  const directory = process.env[builtVariable];
  if (directory === undefined)
    throw new Error(`${builtVariable} is not set: see test/harness/build-directory.ts.`);
  const done = join(stateOf(directory), 'done');
  if (!(await isFirst(join(stateOf(directory), 'begun')))) await untilExists(done);
  else {
    await buildAll(directory);
    await writeFile(done, '');
  }
  return directory;
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
