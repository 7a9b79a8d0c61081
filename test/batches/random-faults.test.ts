/**
 * A batch over several providers whose workers fail or end at random steps, more often than not when they create a job: each line has one
 * result, all charges together are those of the ledger, nothing stays held, and the budget is never passed.
 */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createAnswerLines } from '../../functions/answer-lines.ts';
import type { BatchParts } from '../../lib/batches/ports.ts';
import { createRunBatch } from '../../lib/batches/run.ts';
import { endedStatuses, type NewBatch, type ResultLine } from '../../lib/core/batches.ts';
import { timedId } from '../../lib/core/names/new-id.ts';
import { batchesRuntime } from '../../lib/runtime/batches/batches-runtime.ts';
import { workerParts } from '../../lib/runtime/batches/worker-runtime.ts';
import { filesRuntime } from '../../lib/runtime/files-runtime.ts';
import { createLimitStore } from '../../lib/stores/limits/limits.ts';
import { startBatchGateway } from '../harness/batches/batch-gateway.ts';
import { openLedger } from '../harness/ledger.ts';
import { createRandom, type Random } from '../harness/random.ts';
import { use } from '../harness/use.ts';

const providers = ['openai', 'anthropic', 'deepseek', 'mistral', 'google'] as const;

const models = [
  'openai/gpt-4.1',
  'anthropic/claude-haiku-4-5',
  'google/gemini-2.5-flash',
  'mistral/mistral-small-2603',
  'openai/gpt-4.1-mini',
  // Without a batch API.
  'deepseek/deepseek-v4-flash',
  'no/such-model',
];

const lines = 140;

/** In nano-dollars: several jobs one after the other. */
const budget = 12_000_000;

const started = use(() => startBatchGateway(providers, 10));

/** A worker each of whose effects may fail, done or not, or be its last. */
function failing(parts: BatchParts, random: Random): BatchParts {
  let isEnded = false;
  const effect = async <Result>(act: () => Promise<Result>, chance = 0.02): Promise<Result> => {
    if (isEnded) throw new Error('The process has ended.');
    if (!random.chance(chance)) return await act();
    const isDone = random.chance(0.7);
    isEnded = random.chance(0.5);
    if (isDone) await act();
    throw new Error('The answer is lost.');
  };
  const { batches, files, bytes, lines: answers, holds } = parts;
  return {
    ...parts,
    batches: {
      ...batches,
      change: (...given) => effect(() => batches.change(...given)),
      putJob: (...given) => effect(() => batches.putJob(...given)),
    },
    files: { put: (file) => effect(() => files.put(file)) },
    bytes: {
      ...bytes,
      put: (...given) => effect(() => bytes.put(...given)),
      delete: (names) => effect(() => bytes.delete(names)),
    },
    holds: {
      ...holds,
      reserve: (...given) => effect(() => holds.reserve(...given)),
      end: (...given) => effect(() => holds.end(...given)),
    },
    lines: {
      ...answers,
      read: (...given) => effect(() => answers.read(...given), 0.005),
      live: (...given) => effect(() => answers.live(...given), 0.1),
    },
    async openAccount(provider, region) {
      const account = await parts.openAccount(provider, region);
      return {
        ...account,
        async request(method, path, ...given) {
          const isCreation = method === 'POST' && /(?:batches|batch\/jobs|:batchGenerateContent)$/.test(path);
          return await effect(() => account.request(method, path, ...given), isCreation ? 0.6 : 0.05);
        },
      };
    },
  };
}

test.each([1, 2])('each line is answered and charged once: seed %i', async (seed) => {
  const random = createRandom(seed);
  const { variables, apiKey } = started.gateway;
  const { bytes, files, findApiKey } = filesRuntime(variables);
  const { batches } = batchesRuntime(variables);
  const found = await findApiKey(apiKey);
  if (!found) throw new Error('The gateway has no key.');
  const ofBatch = { ...found, id: `key-${randomUUID()}`, keyPolicy: { limits: { totalBudget: budget } } };
  const text = Array.from({ length: lines }, (_, n) =>
    JSON.stringify({
      custom_id: `line-${n}`,
      method: 'POST',
      url: '/v1/chat/completions',
      body: {
        model: models[n % models.length],
        messages: [{ role: 'user', content: `Hi ${n}.` }],
        max_tokens: 200,
      },
    }),
  ).join('\n');
  const createdAt = Math.floor(Date.now() / 1_000);
  const batch: NewBatch = {
    tenant: found.tenant,
    id: timedId('batch_', Date.now()),
    contract: 'openai',
    operation: 'chat-completions',
    key: ofBatch,
    inputFile: 'file-1',
    input: [await bytes.put(`t/${found.tenant}/f/${randomUUID()}`, Buffer.from(text))],
    headers: {},
    mode: 'any',
    outputSeconds: 86_400,
    createdAt,
    expiresAt: createdAt + 86_400,
  };
  await batches.create(batch);
  const parts = {
    ...workerParts(variables),
    lines: createAnswerLines(variables),
    findKey: async () => ofBatch,
  };
  for (;;) {
    const current = await batches.find(batch.tenant, batch.id);
    if (!current || endedStatuses.includes(current.status)) break;
    // Nobody waits for the lease of a process that has ended.
    if (current.lease) await batches.change(current, { lease: { worker: '', until: 0 } });
    const host = {
      remainingMs: () => 3_600_000,
      signal: new AbortController().signal,
      again: async () => {},
    };
    await createRunBatch(failing(parts, random))(batch, host).catch(() => {});
  }
  const ended = await batches.find(batch.tenant, batch.id);
  const read = async (id: string | undefined): Promise<readonly ResultLine[]> => {
    const file = id === undefined ? undefined : await files.find(batch.tenant, id);
    const pieces = await Array.fromAsync((file?.parts ?? []).values(), async ({ name }) =>
      Buffer.concat(await Array.fromAsync(bytes.get(name))),
    );
    return Buffer.concat(pieces)
      .toString()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  };
  const [output, errors] = [await read(ended?.outputFile), await read(ended?.errorFile)];
  await started.gateway.settled();
  const ledger = openLedger();
  const records = (await ledger.recordsOf(batch.tenant)).filter((record) => record.batch === batch.id);
  const limits = createLimitStore({ call: ledger.call, table: 'usage', now: Date.now });
  const nothing = { tokens: 0, amount: 0 };
  const wanted = {
    id: randomUUID(),
    at: Date.now(),
    fixed: { tokens: 0, amount: 1e15 },
    perOutputToken: nothing,
    output: { min: 0, max: 0 },
  };
  const { usage } = await limits.reserve({ kind: 'key', id: ofBatch.id }, { totalBudget: 1 }, wanted);
  await ledger.close();
  const ids = [...output, ...errors].map(({ custom_id: id }) => id);
  expect(ids.toSorted()).toEqual(Array.from({ length: lines }, (_, n) => `line-${n}`).toSorted());
  const chargeOf = (list: typeof records) => list.reduce((sum, record) => sum + (record.charge ?? 0), 0);
  const charge = chargeOf(records);
  expect(ended?.use?.charge).toBe(charge);
  expect(usage).toMatchObject({ totalCommitted: charge, held: 0 });
});
