/**
 * What the lines of a batch hold and cost, where the process that works on it fails at any of its writes, and everything is repeated:
 * each line is charged once, all of it together is what the limits count, and nothing stays held.
 */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { notBegun } from '../../lib/core/accounting/interrupted.ts';
import type { LedgerChange } from '../../lib/core/accounting/journal.ts';
import type { FinishedRequest, LedgerRecord } from '../../lib/core/accounting/ledger.ts';
import type { LimitScope } from '../../lib/core/accounting/limits.ts';
import { lineRequestId } from '../../lib/core/names/request-id.ts';
import type { ApiKey } from '../../lib/core/ports/api-keys.ts';
import { type AwsCall, AwsError } from '../../lib/core/ports/aws.ts';
import type { MeteredRequest } from '../../lib/core/ports/metering.ts';
import type { Limits } from '../../lib/core/tenancy.ts';
import { dayMs, minuteMs } from '../../lib/core/time.ts';
import { settlementsOf } from '../../lib/metering/aggregate/settlements.ts';
import { createSweep } from '../../lib/metering/aggregate/sweep.ts';
import { createJobMeter, type JobMeter, type JobToReserve } from '../../lib/metering/batches/job-meter.ts';
import { createCountRecorded } from '../../lib/metering/leaked/count-recorded.ts';
import { createLimitStore } from '../../lib/stores/limits/limits.ts';
import { createAggregateStore } from '../../lib/stores/usage/aggregate.ts';
import { readStreamEvent } from '../../lib/stores/usage/stream.ts';
import { createUsageStore } from '../../lib/stores/usage/usage.ts';
import { createRandom, type Random } from '../harness/random.ts';
import { useTestDatabase } from '../stores/database.ts';
import { silent } from './aggregator.ts';

const database = useTestDatabase('usage');
const hourMs = 60 * minuteMs;
const noon = Date.UTC(2026, 10, 20, 12);
const budget = 100_000;

let time = noon;
let tenant = '';
let sequence = 0;
/** What the stream of the ledger has delivered. */
let changes: LedgerChange[] = [];
const now = () => time;

beforeEach(() => {
  time = noon;
  tenant = randomUUID();
  changes = [];
});

/** The database as a process sees it: `fails` says which of its writes do, and whether what fails was done. */
const connect =
  (fails: () => 'before' | 'after' | undefined = () => undefined): AwsCall =>
  async (action, input, ...rest) => {
    const isWrite = /PutItem|UpdateItem/.test(action);
    const failure = isWrite ? fails() : undefined;
    const fault = new AwsError('InternalServerError', 'fault', 500);
    if (failure === 'before') throw fault;
    const { Item: item } = input as { readonly Item?: Readonly<Record<'pk' | 'sk', { S: string }>> };
    const isOfLedger = /^(ledger|running)#/.test(item?.pk.S ?? '');
    const read = async (): Promise<object | undefined> => {
      const key = { pk: item?.pk, sk: item?.sk };
      const asked = { TableName: 'usage', Key: key, ConsistentRead: true };
      return (await database.call('DynamoDB_20120810.GetItem', asked)).Item as object | undefined;
    };
    const before = isOfLedger ? await read() : undefined;
    const answer = await database.call(action, input, ...rest);
    if (isOfLedger) deliver(before, await read());
    if (failure === 'after') throw fault;
    return answer;
  };

function deliver(before: object | undefined, after: object | undefined): void {
  sequence += 1;
  const dynamodb = { OldImage: before, NewImage: after, SequenceNumber: `${sequence}` };
  changes.push(...readStreamEvent({ shardId: 'a-shard', Records: [{ dynamodb }] }).changes);
}

const options = (call: AwsCall = connect()) => ({ call, table: 'usage', now });

const openMeter = (fails?: () => 'before' | 'after' | undefined): JobMeter => {
  const call = connect(fails);
  return createJobMeter({
    usage: createUsageStore(options(call)),
    limits: createLimitStore(options(call)),
    log: silent,
    now,
    newId: (prefix) => prefix + randomUUID(),
    pausesMs: [],
  });
};

const keyOf = (limits: Limits, ofTenant: Limits = {}): ApiKey => ({
  id: `key-${tenant}`,
  tenant,
  keyPolicy: { limits },
  tenantPolicy: { limits: ofTenant },
});

const scopeOfTenant = (): LimitScope => ({ kind: 'tenant', id: tenant });
const used = async (scope = scopeOfTenant()) => {
  const { totalCommitted, held, requests, tokens } = (await createLimitStore(options()).read(scope)) ?? {};
  return { totalCommitted, held, requests, tokens };
};

/** A token costs two nano-dollars, and one in a batch. */
const tokens = { cachedInput: null, cacheWrite: null };
const price = {
  from: 0,
  price: { input: 2, output: 2, ...tokens, serviceTiers: { batch: { input: 1, output: 1, ...tokens } } },
};

const requestOf = (requestId: string, at: number, charge: number): FinishedRequest => ({
  requestId,
  at,
  tenant,
  key: `key-${tenant}`,
  operation: 'chat-completions',
  requestedModel: 'acme/one',
  model: 'acme/one',
  provider: 'acme',
  region: 'global',
  attempts: [
    {
      provider: 'acme',
      model: 'acme/one',
      region: 'global',
      at,
      tier: 'default',
      inputTokens: 3,
      output: { reserved: 5, isHidden: false, isInputUnknown: false },
      usage: {
        promptTokens: charge,
        cachedTokens: 0,
        cacheWriteTokens: 0,
        completionTokens: 0,
        reasoningTokens: 0,
      },
      price,
    },
  ],
  status: 200,
  streamed: false,
  totalMs: 0,
  normalizations: 0,
});

/** A job of lines with these amounts. */
function jobOf(amounts: readonly number[], more: Partial<JobToReserve> = {}): JobToReserve {
  return {
    batch: `batch_${tenant}`,
    first: requestOf('noted', time, 0),
    line: 0,
    at: time,
    amounts,
    until: time + 26 * hourMs,
    ...more,
  };
}

/** Gives all changes of the stream to the limits, in batches of any size, some of them again. */
async function settle(random: Random): Promise<void> {
  let from = 0;
  while (from < changes.length) {
    const to = random.between(from + 1, changes.length);
    await createLimitStore(options()).settle('a-shard', settlementsOf(changes.slice(from, to)));
    if (!random.chance(0.3)) from = to;
  }
}

async function sweep(): Promise<void> {
  const store = createAggregateStore(options());
  await createSweep({ store, now }).tenant(tenant);
  await createSweep({ store, now }).all();
}

async function freeLeaked(scope = scopeOfTenant()) {
  const usage = createUsageStore(options());
  const counting = createCountRecorded({ usage, running: createAggregateStore(options()) }, tenant, 1_000);
  return (await createLimitStore(options()).freeLeaked(scope, counting(scope), true)).state;
}

const records = async (): Promise<readonly LedgerRecord[]> =>
  (
    await createUsageStore(options()).records(tenant, {
      from: noon - dayMs,
      to: time + dayMs,
      limit: 100,
    })
  ).records;

/** Does it again and again, as processes do that fail at some of their writes. */
async function untilDone<Result>(random: Random, work: (meter: JobMeter) => Promise<Result>) {
  for (let tries = 0; tries < 20; tries += 1) {
    const isKilled = random.chance(0.3);
    let writes = random.between(0, 4);
    // One of its writes fails, or one and all after it.
    const fails = () => {
      writes -= 1;
      if (writes === 0) return random.one(['before', 'after'] as const);
      return isKilled && writes < 0 ? 'before' : undefined;
    };
    const meter = openMeter(random.chance(0.6) ? fails : undefined);
    const done = await work(meter).then(
      (result) => ({ result }),
      () => undefined,
    );
    if (done) return done.result;
  }
  throw new Error('It fails each time.');
}

async function writeLine(
  meter: JobMeter,
  key: ApiKey,
  { hold, line, charge, part }: { hold: MeteredRequest; line: number; charge: number; part: number | 'rest' },
  inParts = 0,
) {
  const batch = hold.record.batch ?? '';
  const id = line === 0 ? hold.record.requestId : lineRequestId({ batch, line, attempt: 0 }, time);
  const one = meter.line(hold, part === 'rest' ? { inParts } : { part });
  const at = line === 0 ? hold.record.at : time;
  await one.openMeter(key, id).finish({ ...requestOf(id, at, charge), totalMs: 5 });
  return await one.recorded();
}

const seeds = Array.from({ length: 40 }, (_, seed) => seed);

test.each(seeds)(
  'a job that fails anywhere, and is repeated, charges each line once: seed %i',
  async (seed) => {
    const random = createRandom(seed + 1);
    const key = keyOf({ totalBudget: budget }, { monthlyBudget: budget, dailyBudget: budget });
    const amounts = Array.from({ length: random.between(1, 7) }, () => random.between(0, 5_000));
    const job = jobOf(amounts);
    const { hold, lines } = await untilDone(random, (meter) => meter.reserve(key, job));
    expect(lines).toBe(amounts.length);
    const total = amounts.reduce((sum, one) => sum + one, 0);
    for (const one of hold.record.holds ?? []) expect(one).toMatchObject({ amount: total, inParts: 0 });
    // The job ends on another day than it was reserved for.
    time += random.between(1, 20) * hourMs;
    const ended = time;
    const answered = amounts.map((amount, line) => ({
      line,
      amount,
      charge: random.chance(0.2) ? undefined : random.between(0, amount),
    }));
    const others = answered.slice(1).filter(({ charge }) => charge !== undefined);
    const inParts = others.reduce((sum, { amount }) => sum + amount, 0);
    const isLost = random.chance(0.3);
    const written = isLost ? others.slice(0, random.between(0, others.length)) : others;
    const write = async (some: typeof others) => {
      for (const { line, amount, charge = 0 } of [...some, ...some.filter(() => random.chance(0.3))])
        await untilDone(random, (meter) => writeLine(meter, key, { hold, line, charge, part: amount }));
    };
    await write(written.toSorted(() => random.next() - 0.5));
    if (isLost) {
      time = noon + 27 * hourMs;
      await sweep();
      time += 2 * minuteMs;
      await settle(random);
      const charged = written.reduce((sum, { charge = 0 }) => sum + charge, 0);
      const kept = total - written.reduce((sum, { amount }) => sum + amount, 0);
      // Of what was not read, everything that was held for it counts.
      if (total > 0) {
        await freeLeaked();
        expect(await used()).toMatchObject({ totalCommitted: charged + kept, held: 0 });
      }
      // It comes back after all.
      time = ended;
      await write(others);
    }
    const [first] = answered;
    const { charge } = first ?? {};
    await untilDone(random, async (meter) => {
      if (charge === undefined && !isLost) await meter.end(hold, inParts, 'batch_expired');
      else await writeLine(meter, key, { hold, line: 0, charge: charge ?? 0, part: 'rest' }, inParts);
    });
    await settle(random);
    time = noon + 3 * dayMs;
    const charges = [...others, ...(first ? [first] : [])].reduce((sum, one) => sum + (one.charge ?? 0), 0);
    // Of a reservation that was given up, nothing but its end is known.
    const all = (await records()).filter(({ error }) => error !== notBegun);
    expect(all.reduce((sum, record) => sum + (record.charge ?? Number.NaN), 0)).toBe(charges);
    expect(new Set(all.map(({ requestId }) => requestId)).size).toBe(others.length + 1);
    if (total === 0) return;
    const sum = all
      .flatMap(({ holds = [] }) => holds.filter(({ kind }) => kind === 'tenant'))
      .reduce((held, { amount, inParts: elsewhere = 0 }) => held + amount - elsewhere, 0);
    expect(sum).toBe(total);
    // What a process has left that was killed before its record is free again the days after.
    await freeLeaked();
    await freeLeaked({ kind: 'key', id: key.id });
    expect(await used()).toMatchObject({ totalCommitted: charges, held: 0 });
    expect(await used({ kind: 'key', id: key.id })).toMatchObject({ totalCommitted: charges, held: 0 });
  },
);
