/**
 * DynamoDB Local, AWS's own engine for tests, which has streams and the expiry of items. It needs Java and its jars (CONTRIBUTING.md,
 * "Tests with DynamoDB Local"). Tests that need it are skipped without.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { AwsCall } from '../../../lib/core/ports/aws.ts';
import { connectDatabase } from '../../../local/database-call.ts';
import { freePort } from '../free-port.ts';
import { hasJava, jarDirectory } from './jars.ts';

/** Why it cannot run; undefined if it can. */
export const noDynamoDbLocal: string | undefined = missing();

function missing(): string | undefined {
  if (!jarDirectory()) return 'its jars are not here: npm run test:dynamodb-local fetches them';
  return hasJava() ? undefined : 'there is no Java';
}

interface DynamoDbLocal {
  readonly endpoint: string;
  readonly call: AwsCall;
  close(): Promise<void>;
}

/** In memory. `isShared`: with tables that all regions and access keys share. */
export async function startDynamoDbLocal({ isShared = true } = {}): Promise<DynamoDbLocal> {
  const directory = jarDirectory();
  const port = await freePort();
  const main = 'com.amazonaws.services.dynamodbv2.local.main.ServerRunner';
  const engine = spawn(
    'java',
    [
      `-Djava.library.path=${directory}`,
      '-cp',
      `${directory}/*`,
      main,
      '-inMemory',
      ...(isShared ? ['-sharedDb'] : []),
      '-port',
      `${port}`,
    ],
    { stdio: 'ignore', cwd: directory },
  );
  const endpoint = `http://127.0.0.1:${port}`;
  await untilAnswers(engine, endpoint);
  const { call, close } = connectDatabase(endpoint);
  return {
    endpoint,
    call,
    close: async () => {
      await close();
      const ended = once(engine, 'exit');
      engine.kill('SIGKILL');
      await ended;
    },
  };
}

const patienceMs = 60_000;

async function untilAnswers(engine: ChildProcess, endpoint: string): Promise<void> {
  for (const end = Date.now() + patienceMs; Date.now() < end && engine.exitCode === null; await pause(100)) {
    const isThere = await fetch(endpoint).then(
      () => true,
      () => false,
    );
    if (isThere) return;
  }
  engine.kill('SIGKILL');
  throw new Error('DynamoDB Local did not start.');
}
