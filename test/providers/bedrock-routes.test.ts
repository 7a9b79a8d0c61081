/** By which route a deployment of Bedrock is called, by the region that calls it and the operator's setting. */
import { describe, expect, test } from 'vitest';
import { seedRows } from '../../infra/catalog/seed.ts';
import { pricesOf } from '../../lib/core/accounting/price.ts';
import type { Model } from '../../lib/core/catalog/model.ts';
import { deploymentResolver } from '../../lib/runtime/public-runtime.ts';
import { readModelRow } from '../../lib/stores/catalog/model-row.ts';
import { textModel } from '../harness/text-model.ts';

const models = new Map(seedRows.map((row) => readModelRow(row)).map((model) => [model.id, model]));

const row = (place: object) =>
  textModel('owner/some', { provider: 'bedrock', region: 'us-east-1', upstreamId: 'global.some', ...place });

const routes = [
  { upstreamId: 'some', from: ['eu-west-1'], regions: [], price: { input: 3, output: 4 } },
  { upstreamId: 'eu.some', from: ['eu', 'uk'], regions: ['eu'], upliftPercent: 10 },
  { upstreamId: 'ca.some', from: ['ca'], regions: ['ca'], priceUnknown: true },
  { upstreamId: 'global.some', regions: ['global'] },
];
const some = readModelRow(row({ regions: ['global'], ways: routes }));

function deploymentOf(model: Model, region: string, geography = 'any') {
  const resolve = deploymentResolver({ AWS_REGION: region, GATEWAY_BEDROCK_GEOGRAPHY: geography });
  const [found] = resolve(model).deployments.filter(({ provider }) => provider === 'bedrock');
  return found;
}

const called = (model: Model, region: string, geography?: string) => {
  const found = deploymentOf(model, region, geography);
  return found?.barredBy ?? `${found?.upstreamId} from ${found?.region} in ${found?.regions}`;
};

describe('a deployment is called', () => {
  test.each([
    ['eu-west-1', 'any', 'some from eu-west-1 in eu-west-1'],
    ['eu-central-1', 'any', 'eu.some from eu-central-1 in eu'],
    ['eu-west-2', 'any', 'eu.some from eu-west-2 in eu-west-2,eu'],
    ['ap-south-1', 'any', 'global.some from ap-south-1 in global'],
    ['eu-west-1', 'global', 'global.some from eu-west-1 in global'],
    ['eu-west-1', 'region', 'some from eu-west-1 in eu-west-1'],
    ['eu-central-1', 'geography', 'eu.some from eu-central-1 in eu'],
    ['eu-west-2', 'eu,uk', 'eu.some from eu-west-2 in eu-west-2,eu'],
    ['eu-west-1', 'eu', 'some from eu-west-1 in eu-west-1'],
    ['ap-south-1', 'global', 'global.some from ap-south-1 in global'],
  ])('from %s with %s: %s', (region, geography, expected) => {
    expect(called(some, region, geography)).toBe(expected);
  });

  test.each([
    ['eu-central-1', 'region'],
    ['eu-west-2', 'geography'],
    ['ap-south-1', 'geography'],
    ['eu-west-1', 'uk'],
  ])('from %s with %s in no route', (region, geography) => {
    expect(called(some, region, geography)).toBe('bedrockGeography');
  });

  test('in no route from another partition, whose credentials are others', () => {
    expect(called(some, 'us-gov-west-1')).toBe('bedrockRegion');
    expect(called(some, 'cn-north-1', 'region')).toBe('bedrockRegion');
  });

  test('as its row says where no route begins', () => {
    const narrow = readModelRow(row({ ways: routes.slice(0, 1) }));
    expect(called(narrow, 'ap-south-1')).toBe('global.some from us-east-1 in undefined');
    expect(called(narrow, 'ap-south-1', 'us')).toBe('bedrockGeography');
  });

  test("as an operator's row says, unless it is to stay somewhere and does not say where it is", () => {
    const plain = readModelRow(row({}));
    expect(deploymentOf(plain, 'eu-central-1')).toBe(plain.deployments[0]);
    expect(called(plain, 'us-east-1', 'region')).toBe('bedrockGeography');
    const stated = readModelRow(row({ regions: ['us-east-1'] }));
    expect(deploymentOf(stated, 'us-east-1', 'region')).toBe(stated.deployments[0]);
    expect(called(stated, 'eu-central-1', 'geography')).toBe('bedrockGeography');
  });

  test('only at Bedrock', () => {
    const elsewhere = readModelRow(row({ provider: 'openai', ways: routes }));
    const resolve = deploymentResolver({ AWS_REGION: 'eu-west-1', GATEWAY_BEDROCK_GEOGRAPHY: 'region' });
    expect(resolve(elsewhere)).toBe(elsewhere);
  });
});

describe('a route costs', () => {
  const inputOf = (region: string) => {
    const found = deploymentOf(some, region);
    const { price } = (found?.prices ?? some.prices)[0] ?? {};
    return price && [price.input, price.upliftPercent];
  };

  test.each([
    ['its own price', 'eu-west-1', [3_000, undefined]],
    ["the place's and what it adds", 'eu-central-1', [1_000, 10]],
    ["the place's", 'ap-south-1', [1_000, undefined]],
    ['what is not known', 'ca-central-1', undefined],
  ])('%s', (_, region, expected) => {
    expect(inputOf(region)).toEqual(expected);
  });

  test('the same in the ledger, whatever the setting is by then; old records are of the row', () => {
    const first = (region: string, upstreamId?: string) =>
      pricesOf(some, { provider: 'bedrock', region, ...(upstreamId && { upstreamId }) })?.[0]?.price;
    expect(first('eu-central-1', 'eu.some')).toMatchObject({ input: 1_000, upliftPercent: 10 });
    expect(first('eu-west-1', 'some')).toMatchObject({ input: 3_000 });
    expect(pricesOf(some, { provider: 'bedrock', region: 'ca-west-1', upstreamId: 'ca.some' })).toEqual([]);
    expect(first('us-east-1')).toEqual(some.prices[0]?.price);
    expect(first('eu-central-1')).toBeUndefined();
    expect(first('us-east-1', 'other')).toBeUndefined();
  });
});

describe('the seed', () => {
  test.each([
    ['anthropic/claude-haiku-4-5', 'eu-west-2', 'eu.anthropic.claude-haiku-4-5-20251001-v1:0'],
    ['anthropic/claude-opus-4-8', 'ap-northeast-1', 'jp.anthropic.claude-opus-4-8'],
    ['anthropic/claude-sonnet-4-6', 'ap-southeast-6', 'au.anthropic.claude-sonnet-4-6'],
    ['anthropic/claude-opus-5-5', 'us-gov-west-1', 'us-gov.anthropic.claude-opus-5-5'],
    ['anthropic/claude-fable-5-1', 'eu-central-1', 'global.anthropic.claude-fable-5-1'],
    ['amazon/nova-pro', 'ap-south-1', 'apac.amazon.nova-pro-v1:0'],
    ['amazon/nova-2-lite', 'eu-west-2', 'global.amazon.nova-2-lite-v1:0'],
    ['cohere/embed-v4.0', 'us-west-1', 'us.cohere.embed-v4:0'],
    ['amazon/titan-embed-text-v2', 'eu-central-1', 'amazon.titan-embed-text-v2:0'],
  ])('%s from %s is %s', (id, region, upstreamId) => {
    const model = models.get(id);
    expect(model && deploymentOf(model, region)?.upstreamId).toBe(upstreamId);
  });

  test('keeps Claude in Europe, and refuses what has no route that stays there', () => {
    const inEurope = [...models.values()]
      .filter((model) => deploymentOf(model, 'eu-central-1', 'geography')?.barredBy === undefined)
      .filter(({ deployments }) => deployments.some(({ provider }) => provider === 'bedrock'))
      .map(({ id }) => id);
    expect(inEurope).toContain('anthropic/claude-opus-5-5');
    expect(inEurope).not.toContain('anthropic/claude-fable-5');
    expect(inEurope).not.toContain('amazon/titan-embed-text-v2');
  });
});
