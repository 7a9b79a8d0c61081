/** One cold start: a fresh process of the real Lambda runtime client, timed from its spawn to the first streamed piece. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { lambdaEnvironment } from '../../harness/lambda/engine.ts';
import { readStreamedAnswer } from '../../harness/lambda/prelude.ts';
import { startRuntimeApi } from '../../harness/lambda/runtime-api.ts';

export interface ColdStart {
  /** A built function, an absolute path. */
  readonly bundle: string;
  readonly preload: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly event: unknown;
  /** What the first piece must hold, so that no error is taken for an answer. */
  readonly expect: string;
}

const runtimeClient = createRequire(import.meta.url).resolve('aws-lambda-ric');

/** In milliseconds. */
export async function timeColdStart({ bundle, preload, environment, event, expect }: ColdStart) {
  const api = await startRuntimeApi();
  const answer = api.invoke('cold', event, 30_000);
  const begun = performance.now();
  const child = spawn(process.execPath, ['--import', pathToFileURL(preload).href, runtimeClient], {
    env: { ...lambdaEnvironment({ bundle }, api.address), ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = once(child, 'exit').then(() => api.failAll(new Error('The function has ended.')));
  try {
    const { chunks } = await readStreamedAnswer((await answer).request);
    for await (const { data, at } of chunks) {
      if (data.includes(expect)) return at - begun;
    }
    throw new Error(`The first answer of ${bundle} does not hold ${JSON.stringify(expect)}.`);
  } finally {
    child.kill('SIGKILL');
    await exited;
    await api.close();
  }
}
