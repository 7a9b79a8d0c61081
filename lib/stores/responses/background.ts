/**
 * Responses that are created in the background, in the state table beside the stored ones. Each is one item
 * (`response#<tenant>#<id>#run`), which alone has the keys of its parts (`pieces.ts`) and of its log: once it is removed, they cannot
 * be read. The log (`event-log.ts`) is the text of the events (`response#<tenant>#<id>#log#<n>`).
 */
import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { lazy } from '../../async/lazy.ts';
import { readLedgerRecord } from '../../core/accounting/ledger-record.ts';
import type { BackgroundStore, Run, RunHold, RunRef } from '../../core/background.ts';
import { isJsonObject } from '../../core/formats/json-object.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import { expiryAttribute } from '../../core/tables.ts';
import { openTable, type StoredItem, type TableOptions } from '../dynamodb/table.ts';
import { toItemUpdate, type UpdateCondition, type UpdateFields } from '../dynamodb/update-expression.ts';
import { openEventLog } from '../event-log.ts';
import { maxPieceBytes, type Place, readPart, removePart, writePart } from './pieces.ts';
import { isResponseId, keyOf, thirtyDaysMs } from './responses.ts';

interface BackgroundStoreOptions extends TableOptions {
  /** The time in milliseconds. */
  readonly now: () => number;
  /** Bytes of an item of the log; smaller ones in tests. */
  readonly itemBytes?: number;
}

const consistent = { consistent: true };

const part = lazy(() =>
  z.object({
    owner: z.string(),
    name: z.string(),
    key: z.string(),
    pieces: z.number(),
    bytes: z.number(),
    expiresAt: z.number(),
  }),
);

/** Its record is checked where it is read. */
const runHold = lazy(() =>
  z.object({
    record: z.unknown(),
    partitions: z.number(),
    granted: z.exactOptional(z.number()),
    maxToolCalls: z.exactOptional(z.number()),
  }),
);

const runItem = lazy(() =>
  z.object({
    status: z.enum(['queued', 'in_progress', 'cancelled', 'failed', 'done']),
    key_hash: z.string(),
    alive_at: z.number(),
    starts: z.number(),
    run: z.exactOptional(z.string()),
    upstream: z.exactOptional(
      z.object({ model: z.string(), provider: z.string(), region: z.string(), id: z.string() }),
    ),
    losses: z._default(z.number(), 0),
    logged: z.exactOptional(z.object({ next: z.number(), sequence: z.number() })),
    streamed: z.boolean(),
    headers: z.record(z.string(), z.string()),
    request: z.exactOptional(part()),
    begun: part(),
    final: z.exactOptional(part()),
    failure: z.exactOptional(z.string()),
    log_key: z.string(),
    /** JSON: a record has names and numbers that DynamoDB does not take. */
    hold: z.exactOptional(z.string()),
    [expiryAttribute]: z.number(),
  }),
);

export function createBackgroundStore(options: BackgroundStoreOptions): BackgroundStore {
  const { now, itemBytes } = options;
  const table = openTable(options);
  const placeOf = ({ tenant }: RunRef): Place => ({
    table,
    prefix: (id) => keyOf(tenant, id),
    pieceBytes: maxPieceBytes,
  });
  const write = (run: RunRef, json: object, expiresAt: number) =>
    writePart(placeOf(run), Buffer.from(JSON.stringify(json)), { owner: run.id, expiresAt });
  const change = async (run: RunRef, fields: UpdateFields) => {
    const item = await table.update(runKey(run), toItemUpdate(fields));
    return item && readRun(run, item);
  };
  const expiryOf = () => Math.floor((now() + thirtyDaysMs) / 1000);
  /** For a worker that is started at once. */
  const waiting = () =>
    [
      [['status'], 'queued'],
      [['alive_at'], now()],
      [['starts'], 1],
    ] as const;
  const isChanged = async (run: RunRef, fields: UpdateFields) => (await change(run, fields)) !== undefined;

  const logOf = ({ tenant, id, logKey: key, expiresAt }: Run) =>
    openEventLog({ table, prefix: `${keyOf(tenant, id)}#log`, key, expiresAt, now, itemBytes });

  return {
    async create(run, { keyHash, request, begun, hold, ...created }) {
      if (!isResponseId(run.id)) throw new RangeError('Not a valid response id.');
      const expiresAt = expiryOf();
      const [requestPart, begunPart] = await Promise.all([
        write(run, request, expiresAt),
        write(run, begun, expiresAt),
      ]);
      const logKey = randomBytes(32).toString('base64');
      const known = {
        status: 'queued',
        ...created,
        request: requestPart,
        begun: begunPart,
        starts: 1,
        losses: 0,
      } as const;
      const aliveAt = now();
      await table.put(runKey(run), {
        ...known,
        key_hash: keyHash,
        alive_at: aliveAt,
        log_key: logKey,
        ...(hold && { hold: JSON.stringify(hold) }),
        [expiryAttribute]: expiresAt,
      });
      return { ...run, ...known, hold, keyHash, aliveAt, logKey, expiresAt };
    },
    async find(run) {
      if (!isResponseId(run.id)) return undefined;
      const item = await table.get(runKey(run), consistent);
      const found = item && readRun(run, item);
      // DynamoDB deletes expired items late.
      return found && found.expiresAt * 1000 > now() ? found : undefined;
    },
    async read(run, wanted) {
      const json = await readPart(placeOf(run), wanted);
      const read: unknown = json && JSON.parse(json.toString());
      return isJsonObject(read) ? read : undefined;
    },
    begin: (run, worker) =>
      change(run, {
        set: [
          [['status'], 'in_progress'],
          [['run'], worker],
          [['alive_at'], now()],
        ],
        where: isFreeFor(worker),
      }),
    renew: (run, worker) => isChanged(run, { set: [[['alive_at'], now()]], where: ownedBy(worker) }),
    noteUpstream: (run, worker, upstream) =>
      isChanged(run, { set: [[['upstream'], upstream]], where: ownedBy(worker) }),
    handOver: (run, worker, { upstream, logged }) =>
      isChanged(run, {
        set: [...waiting(), [['upstream'], upstream], [['logged'], logged]],
        remove: [['run']],
        where: [...ownedBy(worker), is('status', 'in_progress')],
      }),
    requeue: (run) =>
      isChanged(run, {
        set: waiting(),
        add: [['losses', 1]],
        remove: [['run']],
        where: unchanged(run),
      }),
    async end(run, worker, { status, final, failure }) {
      const written = final && (await write(run, final, expiryOf()));
      const set = Object.entries({ status, final: written, failure }).flatMap(([name, value]) =>
        value === undefined ? [] : [[[name], value] as const],
      );
      return await isChanged(run, { set, remove: [['request']], where: ownedBy(worker) });
    },
    cancel: (run) =>
      isChanged(run, {
        set: [[['status'], 'cancelled']],
        remove: [['request']],
        where: [is('status', run.status)],
      }),
    fail: (run, failure) =>
      isChanged(run, {
        set: [
          [['status'], 'failed'],
          [['failure'], failure],
        ],
        remove: [['request']],
        where: unchanged(run),
      }),
    restart: (run) =>
      isChanged(run, { set: [[['alive_at'], now()]], add: [['starts', 1]], where: unchanged(run) }),
    async remove(run) {
      if (!isResponseId(run.id)) return undefined;
      const item = await table.remove(runKey(run));
      const removed = item && readRun(run, item);
      if (!removed) return undefined;
      const { request, begun, final } = removed;
      for (const one of [request, begun, final]) if (one) await removePart(placeOf(run), one);
      return removed.expiresAt * 1000 > now() ? removed : undefined;
    },
    append: (run, n, text) => logOf(run).append(n, text),
    follow: (run, n) => logOf(run).read(n),
  };
}

const runKey = ({ tenant, id }: RunRef): string => `${keyOf(tenant, id)}#run`;

const is = (attribute: string, value: unknown): UpdateCondition => ({ path: [attribute], is: '=', value });

/** The run is still what the worker works on. */
const ownedBy = (worker: string): readonly UpdateCondition[] => [
  is('run', worker),
  { path: ['status'], isNot: 'cancelled' },
  { path: ['status'], isNot: 'failed' },
];

/** The run waits for a worker. A repeated call of the one that has begun holds, too. */
const isFreeFor = (worker: string): readonly UpdateCondition[] => [
  { path: ['status'], exists: true },
  { path: ['run'], absentOr: '=', value: worker },
  { path: ['status'], isNot: 'cancelled' },
  { path: ['status'], isNot: 'failed' },
];

/** The run is what it was when it was read. */
const unchanged = ({ status, aliveAt }: Run): readonly UpdateCondition[] => [
  is('status', status),
  is('alive_at', aliveAt),
];

/** Undefined for what is damaged. */
function readRun({ tenant, id }: RunRef, item: StoredItem): Run | undefined {
  const { success, data } = runItem().safeParse(item);
  if (!success) return undefined;
  const {
    key_hash: keyHash,
    alive_at: aliveAt,
    log_key: logKey,
    [expiryAttribute]: expiresAt,
    hold,
    run: worker,
    ...run
  } = data;
  const begun = worker === undefined ? run : { ...run, worker };
  return { tenant, id, ...begun, hold: readHold(hold), keyHash, aliveAt, logKey, expiresAt };
}

function readHold(text: string | undefined): RunHold | undefined {
  const { success, data } = runHold().safeParse(text && parseJson(text));
  const record = success ? readLedgerRecord(data.record) : undefined;
  return data && record && { ...data, record };
}
