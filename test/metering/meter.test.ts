/** The record of a request, also when the store fails, and the cost of a request without reported usage. */
import { beforeEach, describe, expect, test } from 'vitest';
import { longestRequestMs, notBegun } from '../../lib/core/accounting/interrupted.ts';
import type { AttemptOutput, FinishedRequest, LedgerRecord } from '../../lib/core/accounting/ledger.ts';
import type { Hold } from '../../lib/core/accounting/limits.ts';
import type { DatedPrice } from '../../lib/core/catalog/price.ts';
import type { AttemptFacts } from '../../lib/core/endpoint.ts';
import { inputOnly } from '../../lib/core/generation/usage.ts';
import { AwsError } from '../../lib/core/ports/aws.ts';
import type { Log } from '../../lib/core/ports/log.ts';
import type { MeteredRequest, OpenMeter } from '../../lib/core/ports/metering.ts';
import type { UsageStore } from '../../lib/core/ports/usage-store.ts';
import { billOf } from '../../lib/metering/cost/bill.ts';
import { tokensPerSecond } from '../../lib/metering/cost/unseen-output.ts';
import { createOpenMeter, type LimitedRequest, type MeterOptions } from '../../lib/metering/meter.ts';
import { createLateRecords } from '../../lib/metering/records/late-records.ts';
import { readLogLine } from '../../lib/metering/records/log-lines.ts';
import { summaryOf, testAttempt, testRecord, unbilled } from '../harness/ledger.ts';
import { startStopwatch } from '../harness/stopwatch.ts';

const price: DatedPrice = {
  from: 86_400,
  price: { input: 2, output: 3, cachedInput: null, cacheWrite: null },
};

const finished = (changes: Parameters<typeof testRecord>[0] = {}): FinishedRequest =>
  unbilled(testRecord(changes), price);

const key = { id: 'key_1', tenant: 'acme' };
const wait = () => new Promise<never>(() => {});
const fault = () => Promise.reject(new AwsError('InternalServerError', 'A fault.', 500));

let lines: { readonly message: string; readonly fields: Readonly<Record<string, unknown>> }[];
let done: string[];

beforeEach(() => {
  lines = [];
  done = [];
});

const add = (message: string, fields: Readonly<Record<string, unknown>>) =>
  void lines.push({ message, fields });
const log: Log = { info: add, warn: add, error: add };
const messages = () => lines.map(({ message }) => message);

function open(
  usage: Partial<UsageStore> = {},
  limits?: LimitedRequest,
  lasting: Pick<MeterOptions, 'note' | 'late'> = {},
  continued?: MeteredRequest,
): ReturnType<OpenMeter> {
  const record = async () => {
    done.push('record');
    return 'new' as const;
  };
  const opened = async () => void done.push('open');
  const openMeter = createOpenMeter({
    usage: { record, open: opened, ...usage },
    ...(limits && { openLimits: () => limits }),
    log,
    newId: (prefix) => `${prefix}1`,
    timeoutMs: 400,
    ...lasting,
  });
  return openMeter(key, 'request', undefined, continued);
}

/** Finishes in time and never rejects. */
async function finish(meter: ReturnType<OpenMeter>, request: FinishedRequest | undefined): Promise<void> {
  const watch = startStopwatch();
  await meter.finish(request);
  expect(watch.waitedMs()).toBeLessThan(800);
}

describe('a finished request', () => {
  test('is written to the ledger once, and nothing is counted beside it', async () => {
    await finish(open(), finished());
    expect([done, lines]).toEqual([['record'], []]);
  });

  test('that reached no provider is not recorded', async () => {
    await finish(open(), undefined);
    expect([done, lines]).toEqual([[], []]);
  });

  test('that is already recorded is fine', async () => {
    await finish(open({ record: async () => 'known' }), finished());
    expect([done, lines]).toEqual([[], []]);
  });

  test('is written under the same name on every attempt', async () => {
    const names: string[] = [];
    const record = async (_: unknown, write: string) => {
      names.push(write);
      if (names.length < 3) return fault();
      return 'new' as const;
    };
    await finish(open({ record }), finished());
    expect([names, done, lines]).toEqual([['write_1', 'write_1', 'write_1'], [], []]);
  });

  test('with an unknown cost is logged for the metric, without its content', async () => {
    const unpriced = unbilled(testRecord(), undefined);
    await finish(open(), unpriced);
    const { requestId: request_id, model, provider } = unpriced;
    const fields = { request_id, model, provider };
    expect(lines).toEqual([{ message: 'usage unpriced', fields: { ...fields, reason: 'no_price' } }]);
    const attempts = [testAttempt({ price, uncounted: 1 })];
    await finish(open(), { ...unpriced, attempts });
    expect(lines[1]).toEqual({ message: 'usage unpriced', fields: { ...fields, reason: 'uncounted' } });
  });
});

test('a cost that its provider states otherwise is logged for the metric', async () => {
  const usage = { ...inputOnly(1_000_000), statedCost: 3_000_000 };
  const stating = { ...price, price: { ...price.price, statedCost: 'compare' as const } };
  const request = unbilled(testRecord({ usage }), stating);
  await finish(open(), request);
  const { model, provider } = request;
  const fields = { request_id: 'request', model, provider, stated: 3_000_000, computed: 2_000_000 };
  expect(lines).toEqual([{ message: 'usage cost differs', fields }]);
});

describe('a failed write', () => {
  test.each([
    ['fails', fault, 'InternalServerError'],
    ['hangs', wait, 'late'],
  ] as const)(
    'of a record that %s is logged in a form that can be replayed',
    async (_name, record, reason) => {
      const request = finished();
      await finish(open({ record }), request);
      expect(lines).toMatchObject([{ message: 'usage record lost', fields: { reason } }]);
      const [line] = lines;
      const read = readLogLine(
        `2026-11-20T12:00:00 ${JSON.stringify({ ...line?.fields, message: line?.message })}`,
      );
      expect(read).toEqual(billOf(request));
    },
  );
});

describe('an open record', () => {
  const begun = (inputTokens = 9, output?: AttemptOutput): FinishedRequest => {
    const { attempts, ...request } = finished();
    const [first] = attempts.map(({ usage: _, ...attempt }) => attempt);
    if (!first) throw new Error('There is no attempt.');
    return { ...request, attempts: [{ ...first, inputTokens, ...(output && { output }) }] };
  };

  test('is written beside the call of the provider, and the final one does not wait for it', async () => {
    const release = Promise.withResolvers<void>();
    const meter = open({ open: () => release.promise.then(() => void done.push('open')) });
    meter.begin(begun());
    await finish(meter, finished());
    release.resolve();
    await expect.poll(() => [done, lines]).toEqual([['record', 'open'], []]);
  });

  test('is noted before the call of the provider, until it or the final one is written', async () => {
    const notes: string[] = [];
    const note: MeterOptions['note'] = (state, { attempts }) => {
      notes.push(`${state} ${attempts.length}`);
      return () => void notes.push(`forgotten ${attempts.length}`);
    };
    const release = Promise.withResolvers<void>();
    const meter = open({ open: () => release.promise }, undefined, { note });
    meter.begin(begun());
    expect(notes).toEqual(['open 1']);
    release.resolve();
    await expect.poll(() => notes).toEqual(['open 1', 'forgotten 1']);
    const failing = open({ open: fault }, undefined, { note });
    notes.length = 0;
    failing.begin(begun());
    await finish(failing, finished());
    expect([notes, done]).toEqual([['open 1', 'forgotten 1'], ['record']]);
  });

  test.each([
    ['what is reserved for its output', 20, 20],
    ['what the longest request may have', 1_000_000, (longestRequestMs / 1_000) * tokensPerSecond],
  ])('has the prompt of the last attempt and %s, as an estimate', async (_name, reserved, tokens) => {
    const written: LedgerRecord[] = [];
    const meter = open({ open: async (record) => void written.push(record) });
    meter.begin(begun(100, { reserved, isHidden: false, isInputUnknown: false }));
    await finish(meter, undefined);
    expect(written[0]).toMatchObject({
      cost: 200 + 3 * tokens,
      attempts: [{ estimated: true, isFloor: true, usage: { promptTokens: 100, completionTokens: tokens } }],
    });
    expect(JSON.stringify(written[0])).not.toMatch(/inputTokens|reserved/);
  });

  test('of what is not measured in tokens has an unknown cost', async () => {
    const written: LedgerRecord[] = [];
    const meter = open({ open: async (record) => void written.push(record) });
    meter.begin(begun(100));
    await finish(meter, undefined);
    expect(written[0]).toMatchObject({ cost: null, attempts: [{ uncounted: 1 }] });
  });

  test('whose write fails is written again while the request runs, and not when it is over', async () => {
    let failures = 1;
    let tries = 0;
    const opening = async () => {
      tries += 1;
      failures -= 1;
      if (failures >= 0) throw new Error('A fault.');
      done.push('open');
    };
    const meter = open({ open: opening });
    meter.begin(begun());
    await expect.poll(() => done).toEqual(['open']);
    failures = 1_000;
    meter.begin(begun());
    await finish(meter, finished());
    expect([done, messages()]).toEqual([['open', 'record'], ['usage not opened']]);
    const before = tries;
    await new Promise((resolve) => setTimeout(resolve, 120));
    expect(tries).toBe(before);
  });

  test.each([
    ['fails', fault, ['record'], ['usage not opened']],
    ['hangs', wait, ['record'], []],
  ] as const)('whose write %s fails nothing', async (_name, opening, written, logged) => {
    const meter = open({ open: opening });
    meter.begin(begun());
    await finish(meter, finished());
    expect([done, messages()]).toEqual([written, logged]);
  });
});

describe('a process that goes on after its answers', () => {
  test('writes a late record beside the next requests, and reports nothing', async () => {
    const answer = Promise.withResolvers<'new'>();
    const late = createLateRecords();
    await finish(open({ record: () => answer.promise }, undefined, { late }), finished());
    expect(lines).toEqual([]);
    answer.resolve('new');
    await new Promise(setImmediate);
    late.loseAll();
    expect(lines).toEqual([]);
  });

  test('reports once what could not be written in the end, or until the process ends', async () => {
    const answers = [Promise.withResolvers<'new'>(), Promise.withResolvers<'new'>()] as const;
    const late = createLateRecords([]);
    for (const { promise } of answers) {
      await finish(open({ record: () => promise }, undefined, { late }), finished());
    }
    answers[0].reject(new AwsError('InternalServerError', 'A fault.', 500));
    await new Promise(setImmediate);
    late.loseAll();
    answers[1].reject(new Error('A fault.'));
    await new Promise(setImmediate);
    expect(lines.map(({ message, fields }) => [message, fields.reason])).toEqual([
      ['usage record lost', 'InternalServerError'],
      ['usage record lost', 'late'],
    ]);
  });
});

describe('limits', () => {
  const hold: Hold = { kind: 'key', id: 'key_1', minute: 1, day: 1, tokens: 9, amount: 9, running: 0 };
  const limited = (changes: Partial<LimitedRequest> = {}): LimitedRequest => ({
    check: async () => {},
    admit: async () => 7,
    preview: async () => 7,
    holds: () => [hold],
    headers: () => ({ 'x-ratelimit-limit-requests': '1' }),
    release: async (end) => void done.push(`released ${end}`),
    ...changes,
  });
  const one = { tokens: 1, amount: 1 };
  const max = { fixed: one, perOutputToken: one, output: { max: 9, min: 9 } };

  test('end with a request, whose record has what they hold', async () => {
    const records: LedgerRecord[] = [];
    const record = async (written: LedgerRecord) => {
      records.push(written);
      return 'new' as const;
    };
    const meter = open({ record }, limited());
    expect(await meter.admit(() => max)).toBe(7);
    await finish(meter, finished());
    expect(done).toContain('released recorded');
    expect(records[0]?.holds).toEqual([hold]);
  });

  test('are cancelled if no provider was called', async () => {
    await finish(open({}, limited()), undefined);
    expect(done).toEqual(['released not served']);
  });

  test('end with a request that has no record, and may use nothing', async () => {
    const meter = open({}, limited());
    expect(await meter.admit(() => ({ ...max, isFree: true }))).toBeUndefined();
    await finish(meter, undefined);
    expect(done).toEqual(['released unrecorded']);
  });

  test.each([
    ['fail', fault],
    ['hang', wait],
  ])('that %s cause a warning, and the record is written', async (_name, failing) => {
    await finish(open({}, limited({ release: failing })), finished());
    expect([done, messages()]).toEqual([['record'], ['limits not released']]);
  });

  test('without any, the maximum use is not calculated', async () => {
    await open().admit(() => {
      throw new Error('Must not be called.');
    });
    expect(open().headers()).toEqual({});
  });
});

describe('the cost of a request', () => {
  const costOf = (...attempts: readonly Partial<AttemptFacts>[]) =>
    billOf({ ...finished(), attempts: attempts.map((one) => testAttempt({ price, ...one })) }).cost;
  const counted = { usage: inputOnly(100) };

  test.each([
    ['that was not sent is nothing', [{}], 0],
    ['is the sum of its attempts', [counted, {}, counted], 400],
    ['is unknown where the use of one is not known', [counted, { uncounted: 1 }], null],
    ['is unknown where only a part of one is counted', [{ ...counted, uncounted: 1 }], null],
    ['is unknown where one was served by a tier without a price', [{ ...counted, tier: 'flex' }], null],
  ])('%s', (_name, attempts, cost) => {
    expect(costOf(...attempts)).toBe(cost);
  });

  test('the record names the price that was applied', () => {
    expect(billOf(finished())).toMatchObject({ cost: 350, attempts: [{ cost: 350, priceFrom: 86_400 }] });
    const unpriced = billOf(unbilled(testRecord(), undefined));
    expect(unpriced).toMatchObject({ cost: null, attempts: [{ cost: null, priceFrom: null }] });
  });

  test('the usage reported by upstream is stored only if it is short', () => {
    expect(summaryOf(billOf(finished({ rawUsage: { tokens: 5 } }))).rawUsage).toEqual({ tokens: 5 });
    expect(summaryOf(billOf(finished({ rawUsage: { text: 'x'.repeat(9_000) } }))).rawUsage).toBeUndefined();
  });
});

describe('a request that another process goes on with', () => {
  const planned = { ...finished(), attempts: [] };
  const never = () => expect.fail('It was asked.');

  test('is opened before it is handed over, and then recorded by the other one alone', async () => {
    const meter = open();
    const metered = await meter.handOver(planned);
    await finish(meter, undefined);
    expect([done, metered?.record.attempts, metered?.record.charge]).toEqual([['open'], [], 0]);
    const other = open({}, undefined, {}, metered);
    expect(await other.admit(never)).toBeUndefined();
    await finish(other, finished());
    expect([done, lines]).toEqual([['open', 'record'], []]);
  });

  test('reserves nothing there, keeps what is held for it, and ends without a charge if it never begins', async () => {
    const records: LedgerRecord[] = [];
    const record = async (ended: LedgerRecord) => {
      records.push(ended);
      return 'new' as const;
    };
    const opened = await open().handOver(planned);
    const metered = opened && { ...opened, granted: 70 };
    const other = open({ record }, undefined, {}, metered);
    await other.check({ mayRead: true, mayBeFree: never });
    expect(await other.admit(never)).toBe(70);
    await finish(other, undefined);
    expect(records).toEqual([{ ...opened?.record, status: 499, error: notBegun }]);
  });

  test('ends where its open record could not be written, which may have been written all the same', async () => {
    const meter = open({ open: fault });
    await expect(meter.handOver(planned)).rejects.toThrow('A fault.');
    await finish(meter, undefined);
    expect(done).toEqual(['record']);
  });
});
