/** What a row must have a price for. */
import { expect, test } from 'vitest';
import { lintRows } from '../../lib/admin/catalog/lint.ts';
import { textModel } from '../harness/text-model.ts';

const text = { input: 2, output: 8 };

/** A row of `fields`, with a price of text. */
const row = (fields: object): object =>
  textModel('acme/one', { provider: 'openai', upstreamId: 'one' }, { price: text, ...fields });

const faultsIn = (fields: object): readonly string[] =>
  lintRows([{ row: row(fields) }]).map(({ model, fault }) => `${model} ${fault}`);

const at = (provider: string) => ({ deployments: [{ provider, region: 'global', upstreamId: 'one' }] });
const searching = { traits: { webSearch: true } };
const hearing = { modalities: { input: ['text', 'audio'], output: ['text'] } };
const drawing = { modalities: { input: ['text'], output: ['image'] } };
const caching = { traits: { cachePoints: ['system'] } };
const cached = { ...text, cachedInput: 0.2 };

test.each<[string, object, object]>([
  ['price.webSearch or webSearchRequest: missing', searching, { price: { ...text, webSearch: 10 } }],
  ['price.webSearch or webSearchRequest: missing', searching, { price: { ...text, webSearchRequest: 35 } }],
  [
    'price.audioInput or audioHour: missing, for the input of audio',
    hearing,
    { price: { ...text, audioInput: 3 } },
  ],
  ['price.imageOutput or image: missing', drawing, { price: { ...text, imageOutput: 30 } }],
  ['price.imageOutput or image: missing', drawing, { price: { ...text, image: 0.02 } }],
  ['price.cachedInput: missing', caching, { price: { ...cached, cacheWrite: 2 } }],
  ['price.cacheWrite: missing', caching, { price: { ...cached, cacheWrite: 2 } }],
  [
    'price.cacheStorage: missing, for content that the provider stores',
    { ...at('google'), price: cached },
    { ...at('google'), price: { ...cached, cacheStorage: 4.5 } },
  ],
  [
    'price.cachedAudioInput: missing, for audio in a cache',
    { price: { ...cached, audioInput: 3 } },
    { price: { ...cached, audioInput: 3, cachedAudioInput: 0.3 } },
  ],
  [
    'price.tiers.0.cachedInput: missing, because price has it',
    { price: { ...cached, tiers: [{ ...text, aboveInputTokens: 9 }] } },
    { price: { ...cached, tiers: [{ ...cached, aboveInputTokens: 9 }] } },
  ],
  [
    'price.serviceTiers.flex.cachedInput: missing, because price has it',
    { price: { ...cached, serviceTiers: { flex: text } } },
    { price: { ...cached, serviceTiers: { flex: cached } } },
  ],
  [
    'price.hours.0.cachedInput: missing, because price has it',
    { price: { ...cached, hours: [{ ...text, utc: ['01:00-02:00'] }] } },
    { price: { ...cached, hours: [{ ...cached, utc: ['01:00-02:00'] }] } },
  ],
  [
    'laterPrices.0.webSearch or webSearchRequest: missing',
    { ...searching, price: { ...text, webSearch: 10 }, laterPrices: [{ ...text, from: '2027-01-01' }] },
    { price: { ...text, webSearch: 10 }, laterPrices: [{ ...text, webSearch: 10, from: '2027-01-01' }] },
  ],
  [
    'deployments.0.price.audioInput or audioHour: missing',
    { ...hearing, deployments: [{ provider: 'azure', region: 'global', upstreamId: 'one', price: text }] },
    {
      deployments: [
        { provider: 'azure', region: 'global', upstreamId: 'one', price: { ...text, audioInput: 3 } },
      ],
    },
  ],
])('%s', (fault, without, withPrice) => {
  expect(faultsIn(without)).toContainEqual(expect.stringContaining(`acme/one ${fault}`));
  expect(faultsIn({ ...without, ...withPrice })).toEqual([]);
});

test("Claude's writes for an hour need a price, where there is a cache", () => {
  const claude = (price: object) =>
    lintRows([{ row: row({ id: 'anthropic/one', ...at('anthropic'), price }) }]).map(({ fault }) => fault);
  expect(claude({ ...cached, cacheWrite: 2.5 })).toEqual([
    'price.cacheWriteHour: missing, for writes that are kept for an hour',
  ]);
  expect(claude({ ...cached, cacheWrite: 2.5, cacheWriteHour: 4 })).toEqual([]);
  expect(claude(text)).toEqual([]);
});

test('prices of a model that every deployment replaces, and of a retired model, are not looked at', () => {
  const deployments = [
    { provider: 'openai', region: 'global', upstreamId: 'one', price: { ...text, webSearch: 10 } },
  ];
  expect(faultsIn({ ...searching, deployments })).toEqual([]);
  expect(faultsIn({ ...searching, status: 'retired' })).toEqual([]);
});

test('a service tier needs no price: the cost of its requests is then unknown, and seen', () => {
  expect(faultsIn({ price: cached })).toEqual([]);
});
