/**
 * A world in which batches are worked on in simulated time: its table, its stored bytes, its ledger and its provider outlive the processes,
 * which may be ended at each of their effects. What a process has begun by then was done, or not.
 */
import { setImmediate } from 'node:timers/promises';
import { type AnswerLines, type BatchLine, type BatchParts, deploymentKey } from '../../lib/batches/ports.ts';
import { createRunBatch } from '../../lib/batches/run.ts';
import type { LedgerRecord } from '../../lib/core/accounting/ledger.ts';
import {
  type Batch,
  type BatchJob,
  type BatchRef,
  type BatchStore,
  endedStatuses,
  type NewBatch,
  type ResultLine,
} from '../../lib/core/batches.ts';
import { GatewayError } from '../../lib/core/errors/errors.ts';
import type { FilePart, StoredFile } from '../../lib/core/files.ts';
import { lineRequestId } from '../../lib/core/names/request-id.ts';
import type { FoundApiKey } from '../../lib/core/ports/api-keys.ts';
import type { BatchForm, LineResult } from '../../lib/providers/batches/batch-form.ts';

export const startedAt = Date.UTC(2026, 10, 20);

const key: FoundApiKey = { id: 'key', tenant: 'acme', hash: 'h' };

/** What a process does to the world: `act` is done unless the process ends before. */
type Effect = <Result>(name: string, act: () => Result) => Promise<Result>;

class Ended extends Error {}

export interface Fault {
  /** Which effect, counted from 0. */
  readonly at: number;
  /** `before`: it is not done; `after`: it is done, and its answer lost. */
  readonly when: 'before' | 'after';
  /** The process goes on, as after a connection that broke. */
  readonly survives?: boolean;
}

interface UpstreamJob {
  readonly key: string;
  readonly lines: readonly string[];
  state: 'running' | 'cancelled' | 'removed';
  readonly createdAt: number;
}

export interface WorldOptions {
  /** Lines of a model that a provider answers later, after so long. */
  readonly jobMs?: number;
  /** Whether its jobs go on although they were cancelled. */
  readonly isDeaf?: boolean;
  readonly limits?: Partial<BatchForm['limits']>;
  /** How many lines a reservation is granted; undefined: all. */
  readonly granted?: (held: number) => number;
  readonly answersOf?: (id: string) => LineResult | undefined;
  /** What becomes of a single request, by how many were sent before; absent: each is answered. */
  readonly liveStatus?: (sent: number) => number;
  /** So many calls to remove something from the provider fail. */
  readonly failedRemovals?: number;
  /** How long a worker has, when it begins. */
  readonly hostMs?: number;
  /** No time passes while a worker waits. */
  readonly isTimeless?: boolean;
}

export function createWorld({
  jobMs = 90_000,
  isDeaf = false,
  limits,
  granted,
  answersOf,
  liveStatus = () => 200,
  hostMs = 900_000,
  isTimeless = false,
  failedRemovals = 0,
}: WorldOptions = {}) {
  let time = startedAt;
  const rows = new Map<string, Batch>();
  const jobRows = new Map<string, Map<number, BatchJob>>();
  /** Of the batch, when a job was written last. */
  const jobVersions = new Map<string, number>();
  const open = new Set<string>();
  const stored = new Map<string, Uint8Array>();
  const files = new Map<string, StoredFile>();
  const upstream = new Map<string, UpstreamJob>();
  /** The files of lines that a provider has. */
  const uploads = new Map<string, 'kept' | 'removed'>();
  /** Final records, by the id of their request; and what is reserved, by that of its first line. */
  const ledger = new Map<string, LedgerRecord>();
  const held = new Map<string, number>();
  /** Those of single requests without an end. */
  const opened = new Map<string, LedgerRecord>();
  /** How often a line was sent as a single request. */
  const sentLive: number[] = [];
  let removals = 0;
  let isKeyEnabled = true;
  let keyPolicy: NonNullable<FoundApiKey['keyPolicy']> = {};
  /** Of the key, at each reservation. */
  const budgets: (number | undefined)[] = [];
  let isServed = true;
  let barredBy: Awaited<ReturnType<BatchParts['barredBy']>>;

  const storeOf = (effect: Effect): BatchStore => ({
    create: async (batch) => {
      rows.set(batch.id, begun(batch));
      open.add(batch.id);
      return true;
    },
    noteCreation: async ({ id }) => id,
    find: async (_tenant, id) => rows.get(id),
    list: async () => ({ items: [...rows.values()], hasMore: false }),
    change: (batch, changes) =>
      effect('change', () => {
        const known = rows.get(batch.id);
        if (known?.version !== batch.version) return undefined;
        const next = structuredClone({ ...batch, ...changes, version: batch.version + 1 });
        rows.set(batch.id, next);
        if (endedStatuses.includes(next.status)) open.delete(batch.id);
        return next;
      }),
    delete: async () => false,
    jobs: async ({ id }) =>
      [...(jobRows.get(id) ?? new Map<number, BatchJob>()).values()].toSorted((a, b) => a.n - b.n),
    putJob: ({ id, version }, job) =>
      effect('putJob', () => {
        const written = jobVersions.get(`${id} ${job.n}`) ?? 0;
        if (written > version) return false;
        jobVersions.set(`${id} ${job.n}`, version);
        jobRows.set(id, (jobRows.get(id) ?? new Map()).set(job.n, structuredClone(job)));
        return true;
      }),
    open: async () => [...open].map((id) => ({ tenant: 'acme', id })),
  });

  const bytesOf = (effect: Effect): BatchParts['bytes'] => ({
    put: (name, bytes) =>
      effect('bytes', () => {
        stored.set(name, Uint8Array.from(bytes));
        return { name, bytes: bytes.length };
      }),
    async *get(name, { start, end } = { start: 0, end: Number.POSITIVE_INFINITY }) {
      const bytes = stored.get(name);
      if (!bytes) throw new Error(`There is nothing under ${name}.`);
      yield bytes.subarray(start, end);
    },
    delete: (names) =>
      effect('delete', () => {
        for (const name of names) stored.delete(name);
      }),
  });

  const formOf = (effect: Effect): BatchForm => ({
    limits: { lines: 10_000, bytes: 100_000_000, ...limits },
    async submit(_account, job, note) {
      const lines: string[] = [];
      for await (const { id } of job.lines()) lines.push(id);
      const file = `file-${uploads.size}`;
      await effect('upload', () => void uploads.set(file, 'kept'));
      await note({ file });
      return await effect('submit', () => {
        const id = `up-${upstream.size}`;
        upstream.set(id, { key: `${job.id} ${job.attempt}`, lines, state: 'running', createdAt: time });
        return { id, file };
      });
    },
    find: async (_account, { id, attempt }, known) =>
      [...upstream].flatMap(([name, job]) =>
        job.key === `${id} ${attempt}` && job.state === 'running' ? [{ ...known, id: name }] : [],
      ),
    async poll(_account, { id }) {
      const job = upstream.get(String(id));
      if (!job || job.state === 'removed') return { state: 'missing' };
      const isEnded = job.state === 'cancelled' || time >= job.createdAt + jobMs;
      return { state: isEnded ? 'ended' : 'running' };
    },
    async *results(_account, { id }) {
      const job = upstream.get(String(id));
      if (!job || job.state === 'removed') throw new Error('The results are gone.');
      // The order is the provider's.
      for (const line of job.lines.toReversed()) {
        const given = answersOf ? answersOf(line) : answer(line);
        const result = job.state === 'running' ? given : { id: line, unanswered: 'cancelled' as const };
        if (result) yield result;
      }
    },
    cancel: (_account, { id }) =>
      effect('cancel', () => {
        const job = upstream.get(String(id));
        if (job?.state === 'running' && time < job.createdAt + jobMs && !isDeaf) job.state = 'cancelled';
      }),
    remove: (_account, { id, file }) =>
      effect('remove', () => {
        removals += 1;
        if (removals <= failedRemovals) throw new GatewayError('upstream_failed', 'It is not removed.');
        uploads.set(String(file), 'removed');
        const job = upstream.get(String(id));
        if (job) job.state = 'removed';
      }),
  });

  const answer = (id: string): LineResult => ({ id, status: 200, body: JSON.stringify({ id }) });

  const recordOf = (requestId: string, batch: Batch, line: BatchLine): LedgerRecord =>
    ({
      requestId,
      batch: batch.id,
      session: `${line.n}`,
      attempts: [],
      cost: 1,
      charge: 1,
    }) as unknown as LedgerRecord;

  const linesOf = (effect: Effect): AnswerLines => ({
    async prepare({ operation }, line, without) {
      const { model } = JSON.parse(line.body);
      if (model === 'bad') {
        return { by: 'refused', answer: { status: 400, requestId: 'r', body: '{"error":{}}' } };
      }
      const target = { model, provider: 'provider', region: 'global', priceFactor: 0.5 };
      if (model === 'live' || without.has(deploymentKey(target)))
        return { by: 'live', ...target, provider: 'other', body: line.body };
      return {
        by: 'native',
        ...target,
        upstreamModel: model,
        request: { path: `/${operation}`, body: line.body },
        snapshot: { id: model } as never,
        first: { requestId: '', attempts: [] } as never,
        amount: 10,
        granted: 5,
      };
    },
    async read(batch, { line, requestId, result, hold, share }) {
      const record = recordOf(requestId, batch, line);
      await effect('record', () => {
        if (ledger.has(requestId)) return;
        ledger.set(requestId, record);
        settle(hold.record.requestId, share);
      });
      return { answer: { status: result.status, requestId, body: result.body }, record };
    },
    findRecord: async (_batch, requestId) => {
      const record = ledger.get(requestId) ?? opened.get(requestId);
      return record && { state: ledger.has(requestId) ? 'done' : 'open', record };
    },
    async live(batch, line, { requestId, signal, lost }) {
      const status = liveStatus(sentLive.length);
      const record = { ...recordOf(requestId, batch, line), status };
      if (lost && ledger.has(requestId)) {
        await effect('asked again', () => sentLive.push(line.n));
        return { answer: { status, requestId, body: '{}' }, record: undefined, retryAfterMs: undefined };
      }
      await effect('open', () => opened.set(requestId, record));
      sentLive.push(line.n);
      await setImmediate();
      if (status === 200)
        await effect('live', () => {
          ledger.set(requestId, record);
          opened.delete(requestId);
        });
      return {
        answer: { status: signal.aborted ? 499 : status, requestId, body: '{}' },
        record: status === 200 ? record : undefined,
        retryAfterMs: status === 429 || status === 500 ? 1_000 : undefined,
      };
    },
  });

  const parts = new Map<string, number>();
  /** What is held for a job ends with the record of its first line, to which the parts of the others add up. */
  const settle = (first: string, share: { readonly part: number } | { readonly inParts: number }) => {
    if ('part' in share) {
      parts.set(first, (parts.get(first) ?? 0) + share.part);
      return;
    }
    if (share.inParts !== (parts.get(first) ?? 0))
      throw new Error('The parts of a reservation are not its records.');
    held.delete(first);
  };

  const holdsOf = (effect: Effect): BatchParts['holds'] => ({
    reserve: async (key, { batch, line, at, amounts }) => {
      budgets.push(key.keyPolicy?.limits?.totalBudget);
      const requestId = lineRequestId({ batch, line, attempt: 0 }, at);
      const lines = held.has(requestId)
        ? (held.get(requestId) ?? 0) / 10
        : Math.min(
            amounts.length,
            granted?.([...held.values()].reduce((a, b) => a + b, 0)) ?? amounts.length,
          );
      if (lines === 0) throw new GatewayError('insufficient_quota', 'No credit is left.');
      return await effect('reserve', () => {
        held.set(requestId, lines * 10);
        return { hold: { record: { requestId } as LedgerRecord, partitions: 1 }, lines };
      });
    },
    partsOf: async (_hold, ids) => 10 * ids.filter((id) => ledger.has(id)).length,
    end: ({ record: { requestId } }, inParts) =>
      effect('end', () => {
        if (ledger.has(requestId)) return;
        ledger.set(requestId, { requestId, attempts: [], cost: 0, charge: 0 } as unknown as LedgerRecord);
        settle(requestId, { inParts });
      }),
  });

  /** A process, which ends at the fault. `effects`: what it did. */
  function startProcess(fault?: Fault) {
    const effects: string[] = [];
    let isEnded = false;
    const effect: Effect = async (name, act) => {
      if (isEnded) throw new Ended();
      const isFault = fault?.at === effects.length;
      effects.push(name);
      await setImmediate();
      if (isEnded) throw new Ended();
      if (!isFault) return act();
      isEnded = !fault.survives;
      if (fault.when === 'after') act();
      throw fault.survives ? new GatewayError('upstream_cut', 'The connection broke.') : new Ended();
    };
    const run = createRunBatch({
      batches: storeOf(effect),
      files: { put: (file) => effect('file', () => files.set(file.id, file).size > 0) },
      bytes: bytesOf(effect),
      lines: linesOf(effect),
      holds: holdsOf(effect),
      loadForm: async () => formOf(effect),
      openAccount: async () => ({}) as never,
      findKey: async () => (isKeyEnabled ? { ...key, keyPolicy } : undefined),
      isServed: async () => isServed,
      barredBy: async () => barredBy,
      newId: (prefix) => `${prefix}${Math.random()}`,
      now: () => time,
      sleep: async (milliseconds) => {
        await setImmediate();
        if (!isTimeless) time += milliseconds;
      },
      log: { info: () => {}, warn: () => {}, error: () => {} },
      pollMs: 60_000,
    });
    return { effects, run };
  }

  const begun = (batch: NewBatch): Batch => ({
    ...batch,
    status: 'validating',
    times: {},
    counts: { total: 0, completed: 0, failed: 0, cancelled: 0, expired: 0 },
    plan: [],
    jobs: 0,
    nextAt: 0,
    version: 0,
  });

  /** Works on a batch, with a new process after each that has ended, until the batch has. `onStep` is called between them. */
  async function workOn(ref: BatchRef, fault?: Fault, onStep: (steps: number) => void = () => {}) {
    const effects: string[] = [];
    let left = fault;
    for (let steps = 0; steps < 500; steps += 1) {
      onStep(steps);
      const current = rows.get(ref.id);
      if (!current || endedStatuses.includes(current.status)) return effects;
      let nextAt: number | undefined;
      const process = startProcess(left);
      const until = time + hostMs;
      const host = {
        remainingMs: () => until - time,
        signal: new AbortController().signal,
        again: async (_ref: BatchRef, at: number) => {
          nextAt = at;
        },
      };
      await process.run(ref, host).catch(() => {});
      effects.push(...process.effects);
      // A process that has ended is missed when its lease is over.
      if (left && left.at < process.effects.length) left = undefined;
      else if (left) left = { ...left, at: left.at - process.effects.length };
      time = Math.max(time + 1, nextAt ?? time + 61_000);
    }
    throw new Error(`The batch does not end: ${JSON.stringify(rows.get(ref.id))}`);
  }

  async function readFile(id: string | undefined): Promise<readonly ResultLine[]> {
    const { parts: list = [] }: { parts?: readonly FilePart[] } = (id !== undefined && files.get(id)) || {};
    const text = list
      .map(({ name }) => Buffer.from(stored.get(name) ?? Buffer.from('missing')).toString())
      .join('');
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  }

  return {
    now: () => time,
    pass: (milliseconds: number) => (time += milliseconds),
    disableKey: () => (isKeyEnabled = false),
    storeNothing: () => (keyPolicy = { dataPolicy: { noStore: true } }),
    setBudget: (totalBudget: number) => (keyPolicy = { limits: { totalBudget } }),
    allowModels: (models: readonly string[]) => (keyPolicy = { models }),
    budgets,
    endModel: () => (isServed = false),
    bar: () => (barredBy = 'data_policy'),
    change: (id: string, changes: Partial<Batch>) => {
      const batch = rows.get(id);
      if (batch) rows.set(id, { ...batch, ...changes, version: batch.version + 1 });
    },
    find: (id: string) => rows.get(id),
    jobs: (id: string) => [...(jobRows.get(id)?.values() ?? [])],
    open,
    stored,
    files,
    upstream,
    uploads,
    ledger,
    opened,
    held,
    sentLive,
    workOn,
    readFile,
    async create(lines: readonly string[], changes: Partial<NewBatch> = {}): Promise<NewBatch> {
      const bytes = Buffer.from(lines.join('\n'));
      stored.set('input', bytes);
      const batch: NewBatch = {
        tenant: 'acme',
        id: 'batch_1',
        contract: 'openai',
        operation: 'chat-completions',
        key,
        inputFile: 'file-1',
        input: [{ name: 'input', bytes: bytes.length }],
        headers: {},
        mode: 'any',
        outputSeconds: 86_400,
        createdAt: time / 1_000,
        expiresAt: time / 1_000 + 86_400,
        ...changes,
      };
      await storeOf(async (_name, act) => act()).create(batch);
      return batch;
    },
  };
}

export type World = ReturnType<typeof createWorld>;

export const lineOf = (customId: string, model: string): string =>
  JSON.stringify({
    custom_id: customId,
    method: 'POST',
    url: '/v1/chat/completions',
    body: { model, messages: [] },
  });
