/** Any record becomes an item and the same record again, and the item holds nothing twice. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LedgerAttempt, LedgerRecord } from '../../lib/core/accounting/ledger.ts';
import { partitionKey, sortKey } from '../../lib/core/tables.ts';
import { fromItem, toItem } from '../../lib/stores/dynamodb/attribute-values.ts';
import { recordKeys } from '../../lib/stores/usage/keys.ts';
import { recordToFields } from '../../lib/stores/usage/ledger-item.ts';
import { readLedgerItem } from '../../lib/stores/usage/read-ledger-item.ts';
import { readStreamEvent } from '../../lib/stores/usage/stream.ts';
import { testRecord } from '../harness/ledger.ts';

const count = fc.nat(2_000_000);
const amount = fc.option(fc.maxSafeNat());
/** Few, so that an attempt often has the values of its record. */
const time = fc.integer({ min: 1_795_000_000_000, max: 1_795_000_000_003 });
/** Schemas leave this one name out, so that it cannot be set as a prototype. */
const anyName = fc.string().filter((text) => text !== '__proto__');
const name = fc.constantFrom('one', 'two', 'ä "quoted" one');
const usage = fc.record(
  {
    promptTokens: count,
    cachedTokens: fc.constantFrom(0, 7),
    cacheWriteTokens: fc.constantFrom(0, 7),
    completionTokens: count,
    reasoningTokens: fc.constantFrom(0, 7),
    webSearches: fc.constantFrom(0, 3),
    hostedCalls: fc.dictionary(anyName, count, { noNullPrototype: true }),
  },
  {
    requiredKeys: ['promptTokens', 'cachedTokens', 'cacheWriteTokens', 'completionTokens', 'reasoningTokens'],
  },
);
const attempt = fc.record(
  {
    provider: name,
    model: name,
    region: name,
    upstreamId: name,
    at: time,
    endedAt: time,
    tier: name,
    usage,
    rawUsage: fc.dictionary(anyName, fc.jsonValue(), { noNullPrototype: true }),
    uncounted: count,
    estimated: fc.constant(true as const),
    error: name,
    priceFrom: amount,
    cost: amount,
    charge: amount,
  },
  { requiredKeys: ['provider', 'model', 'region', 'at', 'priceFrom', 'cost', 'charge'] },
);
const record: fc.Arbitrary<LedgerRecord> = fc.record(
  {
    requestId: fc.uuid(),
    at: time,
    tenant: fc.constant('acme'),
    key: name,
    user: name,
    tags: fc.dictionary(anyName, fc.string(), { noNullPrototype: true }),
    operation: fc.constant('chat-completions' as const),
    requestedModel: name,
    model: name,
    provider: name,
    region: name,
    attempts: fc.array(attempt, { minLength: 1, maxLength: 3 }),
    status: fc.constantFrom(200, 499),
    error: name,
    streamed: fc.boolean(),
    cost: amount,
    charge: amount,
    firstByteMs: count,
    totalMs: count,
    normalizations: count,
  },
  {
    requiredKeys: [
      ...(['requestId', 'at', 'tenant', 'key', 'operation', 'requestedModel', 'model', 'provider'] as const),
      ...([
        'region',
        'attempts',
        'status',
        'streamed',
        'cost',
        'charge',
        'totalMs',
        'normalizations',
      ] as const),
    ],
  },
);

const stored = (written: LedgerRecord) => {
  const [partition, sort] = recordKeys(written, 1).done;
  const fields = {
    record: recordToFields(written),
    state: 'done',
    [partitionKey]: partition,
    [sortKey]: sort,
  };
  return fromItem(JSON.parse(JSON.stringify(toItem(fields))));
};

test('any record is read as it was written', () => {
  fc.assert(
    fc.property(record, (written) => {
      // JSON has no minus zero.
      const plain: LedgerRecord = JSON.parse(JSON.stringify(written));
      expect(readLedgerItem(stored(plain))).toStrictEqual({ state: 'done', record: plain });
    }),
  );
});

test('what an attempt has from its record, from its cost, or zero, is not stored', () => {
  const [target] = [{ provider: 'acme', model: 'acme/one', region: 'eu' }];
  const at = 1_795_000_000_000;
  const only: LedgerAttempt = {
    ...target,
    at,
    endedAt: at + 5,
    priceFrom: 1,
    cost: 9,
    charge: 9,
    usage: {
      promptTokens: 4,
      cachedTokens: 0,
      cacheWriteTokens: 0,
      completionTokens: 0,
      reasoningTokens: 0,
      webSearches: 0,
    },
  };
  const written: LedgerRecord = {
    ...target,
    requestId: 'one',
    at,
    tenant: 'acme',
    key: 'key_1',
    operation: 'chat-completions',
    requestedModel: 'acme/one',
    attempts: [only],
    status: 200,
    streamed: false,
    cost: 9,
    charge: 9,
    totalMs: 5,
    normalizations: 0,
  };
  expect(fromItem(toItem(recordToFields(written)))).toStrictEqual({
    ...target,
    key: 'key_1',
    operation: 'chat-completions',
    attempts: [{ endedAt: at + 5, priceFrom: 1, usage: { promptTokens: 4, webSearches: 0 } }],
    status: 200,
    streamed: false,
    cost: 9,
    totalMs: 5,
    normalizations: 0,
  });
});

/** One damaged item must not keep the others of its batch from being counted. */
const sound = testRecord();
const [pk, sk] = recordKeys(sound, 1).done;
const imageOf = (fields: object, state = 'done') => toItem({ pk, sk, state, record: fields });
const changeOf = (sequence: string, image: object) => ({
  eventName: 'INSERT',
  dynamodb: { SequenceNumber: sequence, NewImage: image },
});

const soundFields = { ...recordToFields(sound) };
const [soundAttempt] = (soundFields as { attempts: readonly object[] }).attempts;

test.each<[string, object]>([
  ['usage that is not JSON', { ...soundFields, attempts: [{ ...soundAttempt, rawUsage: '{"cut' }] }],
  ['an attempt that is none', { ...soundFields, attempts: [null] }],
  ['attempts that are no list', { ...soundFields, attempts: 'none' }],
  ['a hold that is none', { ...soundFields, holds: [null, 7, [[]]] }],
  ['a cost that is none', { ...soundFields, cost: 'much' }],
])('a record with %s is reported, and the others are read', (_name, damaged) => {
  const Records = [changeOf('1', imageOf(damaged)), changeOf('2', imageOf(soundFields))];
  const { changes, unreadable } = readStreamEvent({ Records, shardId: 'one' });
  expect(unreadable).toBe(1);
  expect(changes).toMatchObject([{ sequence: '2', after: { state: 'done', record: { cost: sound.cost } } }]);
});

test('the cost of an attempt is left out only where it is the only one', () => {
  const { attempts, ...one } = testRecord({ cost: 5, charge: 5 });
  const [first] = attempts;
  if (!first) throw new Error('There is no attempt.');
  const costsIn = (all: readonly LedgerAttempt[]) =>
    (recordToFields({ ...one, attempts: all }) as { attempts: { cost?: number }[] }).attempts.map(
      ({ cost }) => cost,
    );
  expect(costsIn([first])).toStrictEqual([undefined]);
  expect(costsIn([first, { ...first, cost: 0 }])).toStrictEqual([5, 0]);
});
