/** An answer that comes in pieces is changed as it would be as a whole, wherever it is cut. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pipe } from '../../../lib/async/pipe.ts';
import type { GenerationEvent } from '../../../lib/core/generation/events.ts';
import type { LocalRule } from '../../../lib/core/guardrails/local-rules.ts';
import type { Policy } from '../../../lib/core/guardrails/policy.ts';
import { localDetector } from '../../../lib/pipeline/guard/local/detect.ts';
import { openSession } from '../../../lib/pipeline/guard/open.ts';
import { guardOutput } from '../../../lib/pipeline/guard/output.ts';
import { rulesFor } from '../../../lib/pipeline/guard/session.ts';

const terms = { on: ['output'], action: 'redact' } as const;
const policy: Policy = {
  id: 'house',
  version: 1,
  rules: [
    { id: 'people', kind: 'pii', ...terms },
    { id: 'keys', kind: 'secrets', ...terms },
  ],
};

/** What leaves of the events, which come one by one. */
async function* guarded(coming: Iterable<GenerationEvent>): AsyncGenerator<GenerationEvent> {
  const source = (async function* () {
    for (const event of coming) yield [event];
    yield [{ type: 'finish', choice: 0, reason: 'stop' }] as readonly GenerationEvent[];
  })();
  const events = pipe(source, { each: (list, out: GenerationEvent[]) => void out.push(...list) });
  const { signal } = new AbortController();
  const guardrails = {
    findPolicy: async () => policy,
    findDetector: async (rule: unknown) => localDetector(rule as LocalRule),
    highestCost: () => 0,
    passed: { has: () => false, add: () => {} },
  };
  const session = openSession(
    { guardrails, now: Date.now, signal },
    { call: { facts: {} as never }, policies: [policy], whole: () => '' },
  );
  for await (const list of guardOutput(events, session, rulesFor([policy], 'output'))) yield* list;
}

/** The answer as its client gets it, and how much of it had come when each piece left. */
async function answered(pieces: readonly string[]) {
  let come = 0;
  function* coming(): Generator<GenerationEvent> {
    for (const text of pieces) {
      come += text.length;
      yield { type: 'text', choice: 0, text };
    }
  }
  const left: { readonly text: string; readonly waiting: number }[] = [];
  let sent = 0;
  for await (const event of guarded(coming())) {
    if (event.type !== 'text') continue;
    sent += event.text.length;
    left.push({ text: event.text, waiting: come - sent });
  }
  return left;
}

/** Without the numbers of tags: a long value is not known as a whole when its tag leaves. */
const unnumbered = (left: readonly { readonly text: string }[]) => textOf(left).replace(/_\d+\]/g, ']');
const textOf = (left: readonly { readonly text: string }[]) => left.map(({ text }) => text).join('');

const lines = (count: number) => 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC+/==\n'.repeat(count);
const part = fc.oneof(
  fc.constantFrom(
    'It is ',
    'so, ',
    '\n',
    'ada@example.com',
    '😀',
    'ada@',
    'example',
    '4111 1111 1111 1111',
    '+49 30 1234567',
  ),
  fc.constantFrom(
    'AKIAIOSFODNN7EXAMPLE',
    `sk-proj-${'a1B2'.repeat(30)}`,
    `eyJ${'a1B2'.repeat(20)}.eyJ${'c3D4'.repeat(99)}.${'e5F6'.repeat(9)}`,
  ),
  fc
    .integer({ min: 1, max: 120 })
    .map((count) => `-----BEGIN PRIVATE KEY-----\n${lines(count)}-----END PRIVATE KEY-----`),
  fc.integer({ min: 1, max: 60 }).map((count) => 'Some harmless words. '.repeat(count)),
);

test('what a rule takes out of it', async () => {
  const parts = fc.array(part, { maxLength: 12 }).map((list) => list.join(' '));
  const sizes = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 9 });
  await fc.assert(
    fc.asyncProperty(parts, sizes, async (text, cuts) => {
      const pieces: string[] = [];
      for (let at = 0; at < text.length; at += pieces.at(-1)?.length ?? 1)
        pieces.push(text.slice(at, at + (cuts[pieces.length % cuts.length] ?? 1)));
      expect(unnumbered(await answered(pieces))).toBe(unnumbered(await answered([text])));
    }),
    { numRuns: 20 },
  );
});

test('goes on in small pieces, however long it is', async () => {
  const pieces = Array.from({ length: 2_000 }, () => 'word ');
  const left = await answered(pieces);
  expect(textOf(left)).toBe(pieces.join(''));
  expect(Math.max(...left.map(({ waiting }) => waiting))).toBeLessThan(210);
});

test("an item of the provider's that comes in pieces", async () => {
  const of = { choice: 0, item: 0 } as const;
  const delta = (text: string) =>
    ({ ...of, type: 'protocol-item-event', body: { type: 'code.delta', delta: text } }) as const;
  const item = (code: string) => ({ type: 'code_interpreter_call', code });
  const pieces = [delta('to = "ada@exam'), delta('ple.com"')];
  const begun = [{ ...of, type: 'protocol-item', body: item('') } as const, ...pieces];
  const end = { ...of, type: 'protocol-item-end', body: item('to = "ada@example.com"') } as const;
  const left = await Array.fromAsync(guarded([...begun, end]));
  expect(left).toContainEqual({ ...end, body: item('to = "[EMAIL_1]"') });
  for (const one of [left, await Array.fromAsync(guarded(begun))])
    expect(JSON.stringify(one)).not.toContain('ada@');
});
