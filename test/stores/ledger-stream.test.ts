/** What the aggregator reads of the stream: one damaged item must not keep the others of its batch from being counted. */
import { expect, test } from 'vitest';
import { toItem } from '../../lib/stores/dynamodb/attribute-values.ts';
import { recordKey } from '../../lib/stores/usage/keys.ts';
import { recordToFields } from '../../lib/stores/usage/ledger-item.ts';
import { readStreamEvent } from '../../lib/stores/usage/stream.ts';
import { testRecord } from '../harness/ledger.ts';

const record = testRecord();
const [pk, sk] = recordKey(record, 1);
const imageOf = (fields: object, state = 'done') => toItem({ pk, sk, state, record: fields });
const changeOf = (sequence: string, image: object) => ({
  eventName: 'INSERT',
  dynamodb: { SequenceNumber: sequence, NewImage: image },
});

const whole = { ...recordToFields(record) };
const [attempt] = (whole as { attempts: readonly object[] }).attempts;

test.each<[string, object]>([
  ['usage that is not JSON', { ...whole, attempts: [{ ...attempt, rawUsage: '{"cut' }] }],
  ['an attempt that is none', { ...whole, attempts: [null] }],
  ['no attempts', { ...whole, attempts: [] }],
  ['a hold that is none', { ...whole, holds: [null, 7, [[]]] }],
  ['a cost that is none', { ...whole, cost: 'much' }],
])('a record with %s is reported, and the others are read', (_name, damaged) => {
  const Records = [changeOf('1', imageOf(damaged)), changeOf('2', imageOf(whole))];
  const { changes, unreadable } = readStreamEvent({ Records, shardId: 'one' });
  expect(unreadable).toBe(1);
  expect(changes).toMatchObject([{ sequence: '2', after: { state: 'done', record: { cost: record.cost } } }]);
});
