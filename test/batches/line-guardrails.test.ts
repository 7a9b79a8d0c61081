/** What a detector elsewhere has said of a line, and what that costs, when the answer of its job is read. */
import { expect, test } from 'vitest';
import type { GuardRecord } from '../../lib/core/guardrails/guard-record.ts';
import type { Rule } from '../../lib/core/guardrails/policy.ts';
import type { Guardrails } from '../../lib/core/ports/guardrails.ts';
import { askedBefore, askedLater, askedNow } from '../../lib/runtime/batches/line-guardrails.ts';

const ruleOf = (others: object = {}) =>
  ({
    id: 'house',
    kind: 'webhook',
    url: 'https://a.invalid',
    on: ['input'],
    action: 'flag',
    ...others,
  }) as Rule;

const recordOf = (others: Partial<GuardRecord> = {}): GuardRecord => ({
  policy: 'all',
  version: 2,
  rule: 'house',
  phase: 'input',
  action: 'flag',
  labels: ['secret'],
  ms: 4,
  units: 3,
  cost: 70,
  ...others,
});

const options = { signal: new AbortController().signal, tenant: 'acme' };

function detecting(rule: Rule) {
  let asked = 0;
  const guardrails: Guardrails = {
    findPolicy: async () => ({ id: 'all', version: 2, rules: [rule] }),
    findDetector: async () => async () => {
      asked += 1;
      return { findings: [{ text: 0, label: 'now' }], units: 1, cost: 10 };
    },
    highestCost: () => 0,
    passed: { has: () => false, add: () => {} },
  };
  const ask = async (load: () => Promise<Guardrails>, version = 2, phase: 'input' | 'output' = 'input') => {
    const found = await load();
    await found.findPolicy('acme', { id: 'all', version, always: true });
    return await (await found.findDetector(rule))(['text'], phase, options);
  };
  return { load: async () => guardrails, ask, asked: () => asked };
}

test('it is not asked again, and costs what it did once', async () => {
  const { load, ask, asked } = detecting(ruleOf());
  const before = askedBefore(load, [recordOf()]);
  expect(await ask(before)).toEqual({ findings: [{ text: 0, label: 'secret' }], units: 3, cost: 70 });
  expect(asked()).toBe(0);
  expect(await ask(before, 2, 'output')).toMatchObject({ findings: [{ label: 'now' }] });
});

test.each<[what: string, rule: object, version: number]>([
  ['looks beside the call', { when: 'parallel' }, 2],
  ['has other terms now', {}, 3],
  ['is of this process', { kind: 'secrets' }, 2],
])('one that %s is asked', async (_, others, version) => {
  const { load, ask, asked } = detecting(ruleOf(others));
  expect(await ask(askedBefore(load, [recordOf()]), version)).toMatchObject({ cost: 10 });
  expect(asked()).toBe(1);
});

test('one that redacts is asked again, and costs both', async () => {
  const { load, ask, asked } = detecting(ruleOf({ action: 'redact' }));
  const again = await ask(askedBefore(load, [recordOf({ action: 'redact' })]));
  expect(again).toEqual({ findings: [{ text: 0, label: 'now' }], units: 4, cost: 80 });
  expect(asked()).toBe(1);
});

test('one that has failed has failed, and an unknown cost stays unknown', async () => {
  const { load, ask } = detecting(ruleOf());
  await expect(ask(askedBefore(load, [recordOf({ action: 'failed' })]))).rejects.toThrow('did not answer');
  expect((await ask(askedBefore(load, [recordOf({ cost: null })]))).cost).toBeNull();
});

test('of a single request it is asked when that is sent, of a job what blocks is noted', async () => {
  const later = detecting(ruleOf());
  expect((await later.ask(askedLater(later.load))).findings).toEqual([]);
  expect(later.asked()).toBe(0);
  let blocked = 0;
  const block = () => {
    blocked += 1;
  };
  for (const others of [{ action: 'block' }, { action: 'flag' }, { action: 'block', when: 'parallel' }]) {
    const now = detecting(ruleOf(others));
    await now.ask(askedNow(now.load, block));
  }
  expect(blocked).toBe(1);
});
