/** What every operation says about its answer: headers, debug facts and the cost. */
import { expect, test } from 'vitest';
import type { Model, Target } from '../../lib/core/catalog/model.ts';
import {
  costInUsage,
  type DebugCategory,
  gatewayHeaders,
  withCost,
  writeDebug,
} from '../../lib/operations/answer-facts.ts';
import { testAttempt } from '../harness/ledger.ts';

const change = (action: 'strip' | 'override' | 'add') => ({
  param: 'top_k',
  action,
  before: 1,
  after: null,
  reason: 'Why.',
});

test('headers count what was changed, without what the gateway adds', () => {
  expect(gatewayHeaders({ changes: [], sandbox: false })).toEqual({});
  expect(gatewayHeaders({ changes: [change('add')], sandbox: true })).toEqual({
    'x-gateway-sandbox': 'true',
  });
  const changes = [change('strip'), change('override'), change('add')];
  expect(gatewayHeaders({ changes, sandbox: false, schema: 'valid' })).toEqual({
    'x-gateway-normalizations': '2',
    'x-gateway-schema': 'valid',
  });
});

const price = { from: 0, price: { input: 1_000, output: 2_000, cachedInput: null, cacheWrite: null } };
const usage = {
  promptTokens: 10,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  completionTokens: 5,
  reasoningTokens: 0,
};

const targetOf = (model: Partial<Model>) =>
  ({
    model: { id: 'a/b', status: 'active', ...model },
    deployment: { provider: 'acme', region: 'eu' },
  }) as Target;

const attempts = [
  { target: targetOf({}), status: 'failed' as const, reason: 'overloaded', latencyMs: 5 },
  { target: targetOf({}), status: 'succeeded' as const, requested: 'fast', latencyMs: 7 },
];

function debugOf(
  debug: readonly DebugCategory[],
  model: Partial<Model> = {},
  facts = [testAttempt({ usage, price })],
) {
  const deprecations = [{ param: 'max_tokens', message: 'Old.' }];
  const call = { facts: { attempts: facts }, requestId: 'one', input: { debug, deprecations } };
  return writeDebug(call as never, {
    target: targetOf(model),
    changes: [change('add')],
    attempts: attempts as never,
  });
}

test('debug has the categories that are asked for', () => {
  expect(debugOf([])).toBeUndefined();
  expect(debugOf(['normalizations', 'deprecations'])).toEqual({
    normalizations: [change('add')],
    deprecations: [{ param: 'max_tokens', message: 'Old.' }],
  });
  expect(debugOf(['routing'])).toEqual({
    routing: [
      { provider: 'acme', region: 'eu', status: 'failed', model: 'a/b', latency_ms: 5, reason: 'overloaded' },
      { provider: 'acme', region: 'eu', status: 'succeeded', model: 'a/b', requested: 'fast', latency_ms: 7 },
    ],
  });
});

test('a deprecated model is a deprecation', () => {
  const deprecations = (model: Partial<Model>) =>
    (debugOf(['deprecations'], model) as { deprecations: readonly object[] }).deprecations.slice(1);
  expect(deprecations({ status: 'deprecated' })).toEqual([
    { param: 'model', message: "The model 'a/b' is deprecated." },
  ]);
  expect(deprecations({ status: 'deprecated', replacement: 'a/c' })).toEqual([
    { param: 'model', message: "The model 'a/b' is deprecated. Use 'a/c' instead." },
  ]);
  expect(deprecations({ status: 'inactive' })).toEqual([]);
});

test('the cost is that of all attempts in dollars, and unknown if one is', () => {
  const priced = testAttempt({ usage, price });
  expect(debugOf(['cost'], {}, [priced, priced])).toEqual({ cost: 0.00004 });
  expect(debugOf(['cost'], {}, [priced, testAttempt({ usage })])).toEqual({ cost: null });
  const call = (includeCost: boolean) =>
    ({ facts: { attempts: [priced] }, requestId: 'one', input: { includeCost } }) as never;
  expect(withCost({ total_tokens: 15 }, costInUsage(call(true)))).toEqual({
    total_tokens: 15,
    cost: 0.00002,
  });
  expect(withCost({ total_tokens: 15 }, costInUsage(call(false)))).toEqual({ total_tokens: 15 });
});
