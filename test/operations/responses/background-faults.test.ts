/** Responses that are created in the background by a process that is killed, or whose database fails, at each of its writes. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { RunRef, StartRun } from '../../../lib/core/background.ts';
import type { Call } from '../../../lib/core/endpoint.ts';
import { type AwsCall, AwsError } from '../../../lib/core/ports/aws.ts';
import type { Log } from '../../../lib/core/ports/log.ts';
import { cancelResponseEndpoint } from '../../../lib/operations/responses/background/cancel.ts';
import { numbered, textOf } from '../../../lib/operations/responses/background/event-text.ts';
import { type AnswerRun, createRunResponse } from '../../../lib/operations/responses/background/run.ts';
import { deleteResponseEndpoint } from '../../../lib/operations/responses/stored/delete.ts';
import { retrieveResponseEndpoint } from '../../../lib/operations/responses/stored/retrieve.ts';
import { createBackgroundStore } from '../../../lib/stores/responses/background.ts';
import { createResponseStore } from '../../../lib/stores/responses/responses.ts';
import { useTestDatabase } from '../../stores/database.ts';

const database = useTestDatabase('state');
const silent: Log = { info: () => {}, warn: () => {}, error: () => {} };

/** Which writes fail, counted from 0, and whether what fails was done. */
interface Fault {
  readonly fails: (write: number) => boolean;
  readonly isDone: boolean;
  /** What each write waits for. */
  readonly before?: (write: number) => Promise<void>;
}

const healthy: Fault = { fails: () => false, isDone: false };

/** A database that fails for one process. */
function databaseWith({ fails, isDone, before }: Fault): AwsCall {
  let writes = 0;
  return async (action, ...rest) => {
    const isWrite = /PutItem|UpdateItem|DeleteItem/.test(action);
    if (!isWrite) return await database.call(action, ...rest);
    const write = writes++;
    await before?.(write);
    if (!fails(write)) return await database.call(action, ...rest);
    if (isDone) await database.call(action, ...rest);
    throw new AwsError('InternalServerError', 'fault', 500);
  };
}

function timeline() {
  let time = Date.UTC(2026, 10, 20);
  return { now: () => time, pass: (milliseconds: number) => (time += milliseconds) };
}

type Timeline = ReturnType<typeof timeline>;

const answered = { object: 'response', background: true, status: 'completed', output: [] };

/** The provider answers at once, and counts its calls. */
function provider() {
  const asked = { calls: 0 };
  const answer: AnswerRun = async ({ run, option, responses }) => {
    asked.calls += 1;
    return {
      statusCode: 200,
      body: {
        async sendTo(output) {
          const response = { ...answered, id: run.id };
          output.write(textOf(numbered('response.in_progress', option.firstEvent, response)));
          const stored = { response, input: [] };
          const store = await responses.put(run.tenant, run.id, stored).then(
            () => true,
            () => false,
          );
          const last = { ...response, store };
          option.ended(last);
          output.write(textOf(numbered('response.completed', option.firstEvent + 1, last)));
        },
      },
    };
  };
  return { asked, answer };
}

/** A process of the gateway. */
function startProcess(fault: Fault, time: Timeline, answer: AnswerRun) {
  const options = { call: databaseWith(fault), table: 'state', now: time.now };
  const [runs, responses] = [createBackgroundStore(options), createResponseStore(options)];
  const newId = (prefix: string) => prefix + randomUUID();
  const run = createRunResponse({
    runs,
    responses,
    log: silent,
    newId,
    now: time.now,
    end: async () => {},
    answer,
  });
  const working: Promise<unknown>[] = [];
  const start: StartRun = async (ref) => {
    working.push(run(ref, { requestId: 'a', remainingMs: () => 900_000 }).catch(() => {}));
  };
  const background = { runs, responses, now: time.now, start, release: async () => {} };
  return { runs, responses, background, start, idle: () => Promise.all(working) };
}

type Process = ReturnType<typeof startProcess>;

function callFor<Input>(ref: RunRef, input: Input): Call<Input> {
  const key = { tenant: ref.tenant, hash: 'a-hash', id: 'a-key' };
  const never = { admit: async () => undefined, begin: () => {}, remainingMs: () => 900_000 };
  return {
    input,
    key,
    requestId: 'a',
    signal: new AbortController().signal,
    facts: { attempts: [] },
    ...never,
  };
}

const newRef = (): RunRef => ({ tenant: 'acme', id: `resp_${randomUUID().replaceAll('-', '')}` });

async function create(process: Process, ref: RunRef, streamed: boolean) {
  const begun = { ...answered, id: ref.id, status: 'queued', created_at: 1 };
  await process.runs.create(ref, { keyHash: 'a-hash', headers: {}, streamed, request: {}, begun });
  await process.start(ref);
  await process.idle();
}

/** What a caller finds: undefined for a response that is not found. */
async function retrieve(process: Process, ref: RunRef): Promise<unknown> {
  const { answer } = retrieveResponseEndpoint(process);
  const found = await answer(callFor(ref, { response_id: ref.id, include: [] })).catch(() => undefined);
  return found?.type === 'json' ? Reflect.get(Object(found.body), 'status') : undefined;
}

async function eventsFrom(process: Process, ref: RunRef): Promise<readonly string[]> {
  const { answer } = retrieveResponseEndpoint(process);
  const found = await answer(callFor(ref, { response_id: ref.id, include: [], stream: 'true' as const }));
  const events: string[] = [];
  if (found.type === 'stream')
    for await (const list of found.events) for (const { event } of list) events.push(event ?? '');
  return events;
}

const kinds: Readonly<Record<string, (write: number) => Fault>> = {
  'is killed before': (write) => ({ fails: (one) => one >= write, isDone: false }),
  'is refused': (write) => ({ fails: (one) => one === write, isDone: false }),
  'does not hear of': (write) => ({ fails: (one) => one === write, isDone: true }),
};

const cases = Object.keys(kinds).flatMap((kind) => [true, false].map((streamed) => ({ kind, streamed })));

test.each(cases)(
  'a process that $kind any of its writes (streamed: $streamed)',
  async ({ kind, streamed }) => {
    for (let write = 0; write < 12; write += 1) {
      const time = timeline();
      const { asked, answer } = provider();
      const ref = newRef();
      const broken = startProcess(kinds[kind]?.(write) ?? healthy, time, answer);
      await create(broken, ref, streamed).catch(() => {});
      const other = startProcess(healthy, time, answer);
      const seen = [await retrieve(other, ref)];
      for (let look = 0; look < 4; look += 1) {
        time.pass(31_000);
        await retrieve(other, ref);
        await other.idle();
        seen.push(await retrieve(other, ref));
      }
      const end = seen.at(-1);
      const facts = `${kind} write ${write}: ${seen.join(', ')}`;
      expect(asked.calls, facts).toBeLessThanOrEqual(1);
      expect([undefined, 'completed', 'failed'], facts).toContain(end);
      const isStored = (await other.responses.find(ref.tenant, ref.id)) !== undefined;
      if (isStored) expect(end, facts).toBe('completed');
      if (end === undefined) continue;
      expect((await eventsFrom(other, ref)).at(-1), facts).toBe(`response.${end}`);
    }
  },
);

test('a reader of a response that is done waits until it is stored', async () => {
  const time = timeline();
  const process = startProcess(healthy, time, provider().answer);
  const ref = newRef();
  const begun = { ...answered, id: ref.id, status: 'queued', created_at: 1 };
  await process.runs.create(ref, { keyHash: 'a-hash', headers: {}, streamed: false, request: {}, begun });
  const run = await process.runs.begin(ref, 'a-worker');
  if (run) await process.runs.end(run, 'a-worker', { status: 'done' });
  const reading = eventsFrom(process, ref);
  expect(await retrieve(process, ref)).toBe('in_progress');
  await process.responses.put(ref.tenant, ref.id, { response: { ...answered, id: ref.id }, input: [] });
  expect((await reading).at(-1)).toBe('response.completed');
});

test('a response that no worker has begun for long is cancelled', async () => {
  const time = timeline();
  const process = startProcess(healthy, time, provider().answer);
  const ref = newRef();
  const begun = { ...answered, id: ref.id, status: 'queued', created_at: 1 };
  await process.runs.create(ref, { keyHash: 'a-hash', headers: {}, streamed: false, request: {}, begun });
  time.pass(31_000);
  const { start: _, ...background } = process.background;
  const { answer } = cancelResponseEndpoint({ responses: process.responses, background });
  expect(await answer(callFor(ref, { response_id: ref.id }))).toMatchObject({
    body: { id: ref.id, status: 'cancelled' },
  });
});

test.each([true, false])(
  'a cancellation or deletion before any write of the worker (streamed: %s)',
  async (streamed) => {
    for (let write = 3; write < 10; write += 1)
      for (const isDeleted of [true, false]) {
        const time = timeline();
        const { asked, answer } = provider();
        const ref = newRef();
        const other = startProcess(healthy, time, answer);
        let outcome: unknown;
        const before = async (one: number) => {
          if (one === write) outcome = await (isDeleted ? remove(other, ref) : cancel(other, ref));
        };
        const slow = startProcess({ ...healthy, before }, time, answer);
        await create(slow, ref, streamed);
        const end = await retrieve(other, ref);
        const isStored = (await other.responses.find(ref.tenant, ref.id)) !== undefined;
        const facts = `${isDeleted ? 'deleted' : 'cancelled'} before write ${write}: ${outcome}, ${end}`;
        expect(asked.calls, facts).toBeLessThanOrEqual(1);
        if (outcome === undefined) expect([end, isStored], facts).toEqual(['completed', true]);
        else expect([end, isStored], facts).toEqual([isDeleted ? undefined : 'cancelled', false]);
        time.pass(100_000);
        expect(await retrieve(other, ref), facts).toBe(end);
      }
  },
);

/** Undefined where it was refused. */
async function cancel(process: Process, ref: RunRef): Promise<unknown> {
  const { answer } = cancelResponseEndpoint(process);
  return await answer(callFor(ref, { response_id: ref.id })).then(
    () => 'cancelled',
    () => undefined,
  );
}

async function remove(process: Process, ref: RunRef): Promise<unknown> {
  const { answer } = deleteResponseEndpoint(process);
  return await answer(callFor(ref, { response_id: ref.id })).then(
    () => 'deleted',
    () => undefined,
  );
}
