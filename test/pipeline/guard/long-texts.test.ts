/** Rules take time by the length of what they look at, and not by how many parts, findings or pieces it has. */
import { expect, test } from 'vitest';
import { pipe } from '../../../lib/async/pipe.ts';
import type { RequestFacts } from '../../../lib/core/endpoint.ts';
import type { GenerationEvent } from '../../../lib/core/generation/events.ts';
import type { GenerationRequest } from '../../../lib/core/generation/request.ts';
import type { LocalRule } from '../../../lib/core/guardrails/local-rules.ts';
import type { Policy } from '../../../lib/core/guardrails/policy.ts';
import { localDetector } from '../../../lib/pipeline/guard/local/detect.ts';
import { openSession, textsOf, wholeTextOf, withRedaction } from '../../../lib/pipeline/guard/open.ts';
import { guardOutput } from '../../../lib/pipeline/guard/output.ts';
import { rulesFor } from '../../../lib/pipeline/guard/session.ts';

const policy: Policy = {
  id: 'house',
  version: 1,
  output: 'whole',
  rules: [{ id: 'people', kind: 'pii', on: ['input', 'output'], action: 'redact' }],
};

const sessionOf = (whole: () => string) =>
  openSession(
    {
      guardrails: {
        findPolicy: async () => policy,
        findDetector: async (rule) => localDetector(rule as LocalRule),
        highestCost: () => 0,
        passed: { has: () => false, add: () => {} },
      },
      now: Date.now,
      signal: new AbortController().signal,
    },
    { call: { facts: {} as RequestFacts }, policies: [policy], whole },
  );

/** A request with an address in each of so many parts. */
async function ask(count: number): Promise<void> {
  const content = Array.from({ length: count }, (_, at) => ({ type: 'text' as const, text: `u${at}@b.co` }));
  const request: GenerationRequest = {
    messages: [{ role: 'user', content }],
    tools: [],
    parameters: {},
    stream: false,
  };
  const session = sessionOf(() => wholeTextOf(request));
  const asked = { model: 'one', fallbacks: [], normalize: true, request, leftOut: [] };
  const { request: redacted } = await withRedaction(session, asked);
  expect(textsOf(redacted).at(-1)?.text).toBe(`[EMAIL_${count}]`);
}

/** An answer in so many pieces, which leaves as a whole. */
async function answer(count: number): Promise<void> {
  const source = (async function* () {
    for (let at = 0; at < count; at += 1)
      yield [{ type: 'text', choice: 0, text: 'word ' }] as readonly GenerationEvent[];
    yield [{ type: 'finish', choice: 0, reason: 'stop' }] as readonly GenerationEvent[];
  })();
  const events = pipe(source, { each: (list, out: GenerationEvent[]) => void out.push(...list) });
  let left = 0;
  const session = sessionOf(() => '');
  for await (const list of guardOutput(events, session, rulesFor([policy], 'output'))) left += list.length;
  expect(left).toBe(count + 1);
}

async function lowest(work: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (const _ of [1, 2, 3]) {
    const begun = performance.now();
    await work();
    times.push(performance.now() - begun);
  }
  return Math.min(...times);
}

test.each([
  ['parts of a request', ask],
  ['pieces of an answer', answer],
])('eight times the %s take no more than thirty times as long', async (_, work) => {
  await work(500);
  const few = await lowest(() => work(2_500));
  expect(await lowest(() => work(20_000))).toBeLessThan(30 * few);
});
