/**
 * Every test on `startTestDatabase`, and those of the stream, with AWS's own engine in place of the embedded database. It needs Java 17, and
 * Maven the first time (CONTRIBUTING.md, "Tests with DynamoDB Local"). Further words choose among the tests, as for vitest.
 */
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startDynamoDbLocal } from './harness/dynamodb-local/engine.ts';
import { fetchJars, hasJava } from './harness/dynamodb-local/jars.ts';

const root = join(import.meta.dirname, '..');

/** How a file of tests comes to such a database. */
const usesDatabase = /stores\/database\.ts'|from '\.\/database\.ts'|dynamodb-local\/engine\.ts'/;

const files = globSync('test/**/*.test.ts', { cwd: root }).filter((file) =>
  usesDatabase.test(readFileSync(join(root, file), 'utf8')),
);

async function run(words: readonly string[]): Promise<number> {
  const missing = hasJava() ? fetchJars() : 'there is no Java';
  if (missing) {
    console.log(`SKIPPED: ${files.length} files of tests with DynamoDB Local, because ${missing}.`);
    return 0;
  }
  const engine = await startDynamoDbLocal({ isShared: false });
  const chosen =
    words.length === 0 ? files : files.filter((file) => words.some((word) => file.includes(word)));
  console.log(`${chosen.length} files of tests with DynamoDB Local.`);
  try {
    const { status } = spawnSync(join(root, 'node_modules/.bin/vitest'), ['run', ...chosen], {
      cwd: root,
      stdio: 'inherit',
      shell: process.platform === 'win32',
      env: { ...process.env, TEST_DYNAMODB_LOCAL: engine.endpoint },
    });
    return status ?? 1;
  } finally {
    await engine.close();
  }
}

process.exitCode = await run(process.argv.slice(2));
