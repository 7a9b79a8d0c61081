/** Items that are put together: in how many calls, and what each put is told. */
import { expect, test } from 'vitest';
import { AwsError } from '../../lib/core/ports/aws.ts';
import { createGroupPut } from '../../lib/stores/dynamodb/group-put.ts';
import { openTable } from '../../lib/stores/dynamodb/table.ts';
import { useTestDatabase } from './database.ts';

const database = useTestDatabase('usage');

interface Sent {
  readonly keys: readonly string[];
  readonly answer: (result: object) => void;
  readonly fail: (error: Error) => void;
}

type Requests = readonly {
  readonly PutRequest: { readonly Item: { readonly sk: { readonly S: string } } };
}[];

/** Calls that the test answers. */
function openGroup() {
  const sent: Sent[] = [];
  const put = createGroupPut({
    table: 'usage',
    call: (_action, input) => {
      const { usage = [] } = (input as { RequestItems: Record<string, Requests> }).RequestItems;
      const { promise, resolve, reject } = Promise.withResolvers<Record<string, unknown>>();
      const answer = (result: object) => resolve({ ...result });
      sent.push({ keys: usage.map(({ PutRequest }) => PutRequest.Item.sk.S), answer, fail: reject });
      return promise;
    },
  });
  const outcomes: string[] = [];
  const ask = (name: string, instead?: string) =>
    void put(
      ['ledger', name],
      () => ({ name }),
      instead === undefined ? undefined : ['ledger', instead],
    ).then(
      () => outcomes.push(`${name} written`),
      (error: Error) => outcomes.push(`${name}: ${error instanceof AwsError ? error.type : error.message}`),
    );
  return { ask, sent, outcomes, keys: () => sent.map(({ keys }) => keys) };
}

const turn = () => new Promise(setImmediate);
const names = (prefix: string, count: number) => Array.from({ length: count }, (_, at) => `${prefix}${at}`);

test('an item is sent at once, with those of its turn, and what comes meanwhile together after the answer', async () => {
  const { ask, sent, outcomes, keys } = openGroup();
  for (const name of ['a', 'b']) ask(name);
  await turn();
  expect(keys()).toEqual([['a', 'b']]);
  for (const name of ['c', 'd']) ask(name);
  await turn();
  expect([keys().length, outcomes]).toEqual([1, []]);
  sent[0]?.answer({});
  await turn();
  expect([keys()[1], outcomes]).toEqual([
    ['c', 'd'],
    ['a written', 'b written'],
  ]);
  sent[1]?.answer({});
  await turn();
  ask('e');
  await turn();
  expect(keys()[2]).toEqual(['e']);
});

test('a call has at most 25 items, and full ones go side by side, up to eight', async () => {
  const { ask, keys, sent } = openGroup();
  for (const name of names('x', 260)) ask(name);
  await turn();
  expect(keys().map(({ length }) => length)).toEqual(Array(8).fill(25));
  sent[3]?.answer({});
  await turn();
  expect(keys().map(({ length }) => length)).toEqual(Array(9).fill(25));
  for (const one of sent) one.answer({});
  await turn();
  expect(keys().at(-1)).toHaveLength(25);
  sent.at(-1)?.answer({});
  await turn();
  expect(keys().at(-1)).toHaveLength(10);
  expect(new Set(keys().flat()).size).toBe(260);
});

test('an item that was not written, and every item of a call that failed, is told so', async () => {
  const { ask, sent, outcomes } = openGroup();
  for (const name of ['a', 'b']) ask(name);
  await turn();
  const Item = { pk: { S: 'ledger' }, sk: { S: 'b' } };
  sent[0]?.answer({ UnprocessedItems: { usage: [{ PutRequest: { Item } }] } });
  await turn();
  expect(outcomes.splice(0).sort()).toEqual(['a written', 'b: ProvisionedThroughputExceededException']);
  for (const name of ['c', 'd']) ask(name);
  await turn();
  sent[1]?.fail(new Error('no answer'));
  await turn();
  expect(outcomes.splice(0)).toEqual(['c: no answer', 'd: no answer']);
  ask('e');
  await turn();
  expect(sent[2]?.keys).toEqual(['e']);
});

test('a key comes once in a call, with its last item, and an item that is not needed beside another does not come', async () => {
  const { ask, sent, outcomes, keys } = openGroup();
  ask('busy');
  await turn();
  for (const name of ['open', 'open', 'other']) ask(name);
  ask('final', 'open');
  sent[0]?.answer({});
  await turn();
  expect(keys()[1]).toEqual(['other', 'final']);
  sent[1]?.answer({});
  await turn();
  expect(outcomes.sort()).toEqual([
    'busy written',
    'final written',
    'open written',
    'open written',
    'other written',
  ]);
});

test('what is not needed beside an item fails with it', async () => {
  const { ask, sent, outcomes } = openGroup();
  ask('open');
  ask('final', 'open');
  await turn();
  sent[0]?.fail(new Error('no answer'));
  await turn();
  expect(outcomes.sort()).toEqual(['final: no answer', 'open: no answer']);
});

test('the database has what was put', async () => {
  const table = { call: database.call, table: 'usage' };
  const put = createGroupPut(table);
  await Promise.all(
    names('item', 30).map((name) => put(['together', name], () => ({ name, empty: {}, list: [1, null] }))),
  );
  const items = await openTable(table).query('together', { from: ' ', to: '~' });
  expect(items).toHaveLength(30);
  expect(items[0]).toMatchObject({ name: 'item0', empty: {}, list: [1, null] });
});
