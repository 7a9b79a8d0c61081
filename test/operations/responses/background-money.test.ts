/**
 * What a response in the background holds and costs, where the process that creates it fails at any of its writes, or the response is
 * cancelled or deleted before any of them: one record at most, nothing that stays held, and a charge for what a provider was asked.
 */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { create as createResponses } from '../../../functions/responses.ts';
import { create as createCancel } from '../../../functions/responses-cancel.ts';
import { create as createDelete } from '../../../functions/responses-delete.ts';
import { maxWaitMs, notBegun, overAfterMs, surelyOverMs } from '../../../lib/core/accounting/interrupted.ts';
import { apiKeyId } from '../../../lib/core/names/api-key.ts';
import { newId } from '../../../lib/core/names/new-id.ts';
import { newRequestId } from '../../../lib/core/names/request-id.ts';
import { type OperationName, operationNamed } from '../../../lib/core/operations.ts';
import type { HttpResponse, SendForText } from '../../../lib/core/ports/http.ts';
import { tables } from '../../../lib/core/tables.ts';
import { minuteMs } from '../../../lib/core/time.ts';
import type { Handler } from '../../../lib/http/request/http-request.ts';
import { settlementsOf } from '../../../lib/metering/aggregate/settlements.ts';
import { createSweep } from '../../../lib/metering/aggregate/sweep.ts';
import { createCountRecorded } from '../../../lib/metering/leaked/count-recorded.ts';
import { leastWanted } from '../../../lib/metering/limits/limited.ts';
import { openMessage } from '../../../lib/metering/records/log-messages.ts';
import { replay } from '../../../lib/metering/records/replay.ts';
import { findRun } from '../../../lib/operations/responses/background/run-state.ts';
import { runsHere, storedBackground } from '../../../lib/runtime/background-runtime.ts';
import type { Variables } from '../../../lib/runtime/environment.ts';
import { chooseHttpClient } from '../../../lib/runtime/foundation.ts';
import { createKeyStore } from '../../../lib/stores/access/keys.ts';
import { createCatalogStore } from '../../../lib/stores/catalog/catalog.ts';
import { createLimitStore } from '../../../lib/stores/limits/limits.ts';
import { createResponseStore } from '../../../lib/stores/responses/responses.ts';
import { createAggregateStore } from '../../../lib/stores/usage/aggregate.ts';
import { createUsageStore } from '../../../lib/stores/usage/usage.ts';
import { createNodeClient } from '../../../lib/transport/http-client/node-client.ts';
import { type CapturedLog, captureLog } from '../../harness/captured-log.ts';
import { textModel } from '../../harness/text-model.ts';
import { useTestDatabase } from '../../stores/database.ts';

const database = useTestDatabase(...Object.keys(tables));
const model = 'acme/held';
const body = { model, input: 'Count. '.repeat(60), background: true, max_output_tokens: 50 };
const costOfOne = 100 * 1_000 + 50 * 2_000;

let log: CapturedLog;
beforeEach(() => {
  log = captureLog();
});
afterEach(() => log.close());

beforeAll(async () => {
  const row = textModel(model, { provider: 'deepseek', upstreamId: 'held' });
  await createCatalogStore({ call: database.call, table: 'catalog' }).put(row, { source: 'operator' });
});

/** Which writes fail, counted from 0, and whether what fails was done. */
interface Fault {
  readonly fails: (write: number) => boolean;
  readonly isDone: boolean;
  /** What each write waits for. */
  readonly before?: (write: number, request: string) => Promise<void>;
}

const keyLimits = { dailyBudget: 1e9, concurrentRequests: 1 };

const healthy: Fault = { fails: () => false, isDone: false };

const client = createNodeClient();

/** A process of the gateway, whose database fails as it is said, and whose provider answers at once. */
function startProcess({ fails, isDone, before }: Fault) {
  const variables: Variables = {
    AWS_REGION: 'us-east-1',
    DYNAMODB_ENDPOINT: database.endpoint,
    DEEPSEEK_API_KEY: 'a-key',
    ...Object.fromEntries(Object.entries(tables).map(([name, table]) => [table.environmentVariable, name])),
  };
  const asked = { calls: 0 };
  const writes = new Map<string, Promise<number>>();
  const numberOf = (request: string) => {
    const known = writes.get(request);
    if (known) return known;
    const number = writes.size;
    const numbered = (before?.(number, request) ?? Promise.resolve()).then(() => number);
    writes.set(request, numbered);
    return numbered;
  };
  const sendForText: SendForText = async (request, options) => {
    const isWrite = /PutItem|UpdateItem|DeleteItem/.test(request.headers['x-amz-target'] ?? '');
    // What is repeated is the same write.
    const isFailing = isWrite && fails(await numberOf(String(request.body)));
    if (isFailing && !isDone) return failed;
    const answer = await client.sendForText(request, options);
    return isFailing ? failed : answer;
  };
  const send = async (_request: object, { onSent }: { readonly onSent?: () => void }) => {
    asked.calls += 1;
    onSent?.();
    return answer();
  };
  chooseHttpClient(variables, { ...client, send, sendForText, preconnect: () => {} });
  return { variables, asked, writes };
}

const failed = { status: 500, headers: {}, text: '{"__type":"InternalServerError"}' };

function answer(): HttpResponse {
  const choice = (delta: object, finish_reason: string | null = null) => [{ index: 0, delta, finish_reason }];
  const usage = { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 };
  const chunks = [
    { choices: choice({ content: 'One' }) },
    { choices: choice({}, 'stop') },
    { choices: [], usage },
  ].map((chunk) => `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', ...chunk })}\n\n`);
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    body: (async function* () {
      for (const chunk of [...chunks, 'data: [DONE]\n\n']) yield Buffer.from(chunk);
    })(),
  };
}

type Process = ReturnType<typeof startProcess>;

async function newCaller() {
  const tenant = `t-${randomUUID().slice(0, 8)}`;
  const keys = createKeyStore({ call: database.call, table: 'access' });
  const { secret } = await keys.create({ tenant, limits: keyLimits });
  return { tenant, secret };
}

type Caller = Awaited<ReturnType<typeof newCaller>>;

async function ask(
  handler: Handler,
  name: OperationName,
  { secret }: Caller,
  { id, at = Date.now() }: { readonly id?: string; readonly at?: number },
) {
  const { method, path } = operationNamed(name);
  const headers: Readonly<Record<string, string>> = {
    authorization: `Bearer ${secret}`,
    'content-type': 'application/json',
  };
  const header = (wanted: string) => headers[wanted];
  const requestId = newRequestId(at);
  const request = {
    ...{ method, path, template: path, query: {}, sourceIp: '', header },
    pathParameters: id === undefined ? {} : { response_id: id },
    headerValues: (wanted: string) => [header(wanted)].filter((value) => value !== undefined),
    body: id === undefined ? JSON.stringify(body) : '',
  };
  const answered = await handler(request, { requestId, remainingMs: () => 900_000 });
  const read: unknown = typeof answered.body === 'string' ? JSON.parse(answered.body) : undefined;
  return { status: answered.statusCode, requestId, id: String(Reflect.get(Object(read), 'id')) };
}

/** Creates a response, and waits until its worker has ended. */
async function create({ variables }: Process, caller: Caller, at = Date.now()) {
  const created = await ask(createResponses(variables), 'responses', caller, { at });
  await runsHere(variables).ended(10_000);
  return created;
}

/** What is left once everything is over: after requests for the response, the sweep, settlements and the repair of limits. */
async function settled({ tenant, secret }: Caller, id: string) {
  const { variables } = startProcess(healthy);
  const options = { call: database.call, table: 'usage' };
  const responses = createResponseStore({ call: database.call, table: 'state', now: Date.now });
  for (const laterMs of [31_000, 62_000]) {
    const now = () => Date.now() + laterMs;
    await findRun({ ...storedBackground(variables), responses, now }, { tenant, id });
  }
  const later = Date.now() + Math.max(overAfterMs + minuteMs, surelyOverMs + 2 * minuteMs);
  const store = createAggregateStore({ ...options, now: () => later });
  await createSweep({ store, now: () => later }).tenant(tenant);
  const usage = createUsageStore({ ...options, now: Date.now });
  // Of a process that was killed, the log has what was about to be sent.
  const opened = log.lines.filter((line) => line.includes(openMessage));
  await replay(opened, { usage, newId, now: () => later });
  const span = { from: Date.now() - 3_600_000, to: Date.now() + 3_600_000 };
  const { records } = await usage.records(tenant, { ...span, limit: 10 });
  const limits = createLimitStore({ ...options, now: () => later });
  const changes = records.map((record, index) => ({
    sequence: String(index + 1),
    at: later,
    after: { state: 'done', record } as const,
  }));
  await limits.settle('a-shard', settlementsOf(changes));
  const scope = { kind: 'key', id: apiKeyId(secret) } as const;
  const counting = createCountRecorded({ usage, running: store }, tenant, 100);
  await limits.freeLeaked(scope, counting(scope), true);
  const use = await limits.read(scope);
  // What an ended request did not report is known two minutes after its settlement.
  const after = createLimitStore({ ...options, now: () => later + 2 * minuteMs });
  const next = await after.reserve(scope, keyLimits, leastWanted(later + 2 * minuteMs));
  return { records, use, isFree: next.refusedBy === undefined };
}

/** Everything that must hold, however it went. */
async function expectRight(
  caller: Caller,
  { id, requestId }: { id: string; requestId: string },
  calls: number,
  facts: string,
) {
  const { records, use, isFree } = await settled(caller, id);
  expect(records.length, facts).toBeLessThanOrEqual(1);
  for (const record of records)
    expect([record.requestId, record.response !== undefined], facts).toEqual([requestId, true]);
  const charge = records.reduce((sum, record) => sum + (record.charge ?? Number.NaN), 0);
  expect(charge > 0, `${facts}: charged ${charge}`).toBe(calls > 0);
  const [record] = records;
  // One that may be too low counts as what was held for it.
  const held = record?.holds?.[0]?.amount ?? 0;
  const isFloor = record?.attempts.some((attempt) => attempt.isFloor) ?? false;
  expect(charge, facts).toBeLessThanOrEqual(isFloor ? held : costOfOne);
  expect([use?.held ?? 0, use?.totalCommitted ?? 0, isFree], facts).toEqual([
    0,
    isFloor ? held : charge,
    true,
  ]);
  return record;
}

/** More than there are. */
const writes = Array.from({ length: 16 }, (_, write) => write);

test('a response that is created has one record, under the id of its request, and holds nothing when it has ended', async () => {
  const caller = await newCaller();
  const process = startProcess(healthy);
  const created = await create(process, caller);
  expect(created.status).toBe(200);
  const record = await expectRight(caller, created, 1, `${process.writes.size} writes`);
  expect(record).toMatchObject({ status: 200, charge: costOfOne, response: created.id });
  expect(process.writes.size).toBeLessThanOrEqual(writes.length);
});

test('a response whose worker cannot be started is refused, and costs nothing', async () => {
  const caller = await newCaller();
  const process = startProcess(healthy);
  runsHere(process.variables).stop(new Error('The server stops.'));
  const created = await create(process, caller);
  expect(created.status).toBe(503);
  const record = await expectRight(caller, created, 0, 'not started');
  expect(record?.error).toBe(notBegun);
});

test('a response that has waited for too long does not begin any more, and costs nothing', async () => {
  const caller = await newCaller();
  const process = startProcess(healthy);
  const created = await create(process, caller, Date.now() - maxWaitMs - 1);
  const record = await expectRight(caller, created, 0, 'late');
  expect([process.asked.calls, record?.error]).toEqual([0, notBegun]);
});

const kinds: Readonly<Record<string, (write: number) => Fault>> = {
  'is killed before': (write) => ({ fails: (one) => one >= write, isDone: false }),
  'is refused': (write) => ({ fails: (one) => one === write, isDone: false }),
  'does not hear of': (write) => ({ fails: (one) => one === write, isDone: true }),
};

test.each(Object.keys(kinds))('a process that %s any of its writes', async (kind) => {
  await Promise.all(
    writes.map(async (write) => {
      const caller = await newCaller();
      const process = startProcess(kinds[kind]?.(write) ?? healthy);
      const created = await create(process, caller);
      const facts = `${kind} write ${write}: ${created.status}`;
      await expectRight(caller, created, process.asked.calls, facts);
    }),
  );
});

const endings = { cancelled: createCancel, deleted: createDelete };

test.each(Object.keys(endings) as (keyof typeof endings)[])(
  'a response that is %s before any of the writes of its process',
  async (ending) => {
    const ends = await Promise.all(
      writes.map(async (write) => {
        const caller = await newCaller();
        const other = endings[ending](startProcess(healthy).variables);
        const name = ending === 'cancelled' ? 'responses-cancel' : 'responses-delete';
        let id: string | undefined;
        let status: number | undefined;
        const before = async (one: number, request: string) => {
          id ??= /resp_[0-9a-f]{32}/.exec(request)?.[0];
          if (one === write && id !== undefined) status = (await ask(other, name, caller, { id })).status;
        };
        const process = startProcess({ ...healthy, before });
        const created = await create(process, caller);
        const record = await expectRight(
          caller,
          created,
          process.asked.calls,
          `${ending} before write ${write}: ${status}`,
        );
        return record?.error ?? record?.status;
      }),
    );
    expect(new Set(ends)).toEqual(new Set([200, notBegun, 499]));
  },
);
