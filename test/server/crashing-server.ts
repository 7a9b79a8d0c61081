/** A server as `npm run serve` is, with operations that a test needs: one that streams, and one that throws where nothing waits. */
import cluster from 'node:cluster';
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { operationNamed } from '../../lib/core/operations.ts';
import type { Handler } from '../../lib/http/request/http-request.ts';
import { createLog } from '../../lib/runtime/log.ts';
import { maxMissedReports, runPrimary } from '../../server/process/primary.ts';
import { runWorker } from '../../server/process/worker.ts';
import { startService } from '../../server/service.ts';
import { readSettings } from '../../server/settings.ts';
import { writing } from '../harness/http-request.ts';

/** So many words, one each 50 ms; or until the file of the test is there. */
const talk = writing(async (stream, { query }) => {
  const words = Number(query.words?.[0]);
  for (let word = 0; word < words && !(word > 0 && existsSync(process.env.TEST_END ?? '')); word++) {
    stream.write(`word ${word} of ${process.pid}\n`);
    await pause(50);
  }
  stream.write('the end\n');
});

/** Throws in a callback, leaves a promise behind that rejects, or never lets go. Its own answer never comes. */
const crash: Handler = async ({ query, body }) => {
  const how = query.how?.[0];
  if (how === 'loop') for (;;);
  const fail = () => {
    throw new TypeError(`what a caller sent: ${body}`);
  };
  if (how === 'promise') void Promise.resolve().then(fail);
  else setImmediate(fail);
  return await new Promise(() => {});
};

const operations = [
  operationNamed('chat-completions'),
  { ...operationNamed('embeddings'), timeoutSeconds: 2 },
];
const load = async ({ name }: { readonly name: string }) => (name === 'embeddings' ? crash : talk);

const settings = readSettings(process.env);
const log = createLog();
if (cluster.isPrimary) await runPrimary(settings, log, Number(process.env.TEST_PATIENCE ?? maxMissedReports));
else await runWorker(settings, log, () => startService({ operations, load }, settings, log, process.env));
