/** Tags of the header and metadata of the body are in the record, and usage is grouped by them. */
import { expect, test } from 'vitest';
import { useGateway } from '../harness/gateways/use-gateway.ts';
import { openLedger } from '../harness/ledger.ts';
import { use } from '../harness/use.ts';

const gateway = useGateway();
const ledger = use(() => openLedger());

const messages = [{ role: 'user', content: 'Say something.' }];

async function tagsOf(response: Response) {
  await response.text();
  expect(response.status).toBe(200);
  const records = await ledger.recordsOf('local');
  return records.find(({ requestId }) => requestId === response.headers.get('x-request-id'))?.tags;
}

const chat = (headers: Record<string, string>, more: object = {}) =>
  gateway().post('/v1/chat/completions', { model: 'openai/gpt-5.5', messages, ...more }, headers);

test('pairs of the header are in the record', async () => {
  const response = await chat({ 'x-gateway-tags': 'team=search, cost centre=a=b' });
  expect(await tagsOf(response)).toEqual({ team: 'search', 'cost centre': 'a=b' });
});

test('so is the metadata of chat and Responses; the header comes first, and eight are kept', async () => {
  const metadata = Object.fromEntries(
    Array.from({ length: 9 }, (_, index) => [`m${index}`, 'x'.repeat(200)]),
  );
  const tags = await tagsOf(
    await chat({ 'x-gateway-tags': 'team=search' }, { metadata: { ...metadata, team: 'no' } }),
  );
  expect(Object.keys(tags ?? {})).toHaveLength(8);
  expect(tags).toMatchObject({ team: 'search', m0: 'x'.repeat(128) });
  const body = { model: 'openai/gpt-5.5', input: 'Hello.', metadata: { order: '7' } };
  expect(await tagsOf(await gateway().post('/v1/responses', body))).toEqual({ order: '7' });
});

test('what the database cannot store is left out of a tag: empty names, halves of characters', async () => {
  const cut = `${'x'.repeat(127)}\u{1f600}`;
  const tags = await tagsOf(await chat({}, { metadata: { '': 'no name', half: 'a\ud83d', cut } }));
  expect(tags).toEqual({ half: 'a\ufffd', cut: `${'x'.repeat(127)}\ufffd` });
});

test('usage is grouped by a tag', async () => {
  await (await chat({ 'x-gateway-tags': 'squad=blue' })).text();
  await (await chat({ 'x-gateway-tags': 'squad=red' })).text();
  await (await chat({ 'x-gateway-tags': 'squad=red' })).text();
  const response = await fetch(`${gateway().url}/v1/usage?group_by=tag:squad`, {
    headers: { authorization: `Bearer ${gateway().apiKey}` },
  });
  const { data, source } = (await response.json()) as { data: { [name: string]: unknown }[]; source: string };
  expect(source).toBe('ledger');
  expect(data.filter((row) => row['tag:squad'] !== null)).toMatchObject([
    { 'tag:squad': 'blue', requests: 1 },
    { 'tag:squad': 'red', requests: 2 },
  ]);
});

test.each([
  ['more than eight', Array.from({ length: 9 }, (_, index) => `a${index}=1`).join(',')],
  ['no value', 'team'],
  ['an empty value', 'team='],
  ['an empty name', '=search'],
  ['an empty pair', 'team=search,'],
  ['a long name', `${'a'.repeat(65)}=1`],
  ['a long value', `a=${'1'.repeat(129)}`],
  ['a name twice', 'a=1,a=2'],
  ['a prototype', '__proto__=1'],
])('%s is a 400 that names the header', async (_, tags) => {
  const response = await chat({ 'x-gateway-tags': tags });
  const { error } = (await response.json()) as { error: { param: string } };
  expect([response.status, error.param]).toEqual([400, 'x-gateway-tags']);
});
