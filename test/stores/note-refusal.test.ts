/** Which refused requests are kept for their callers to find, and what of their messages. */
import { expect, test } from 'vitest';
import type { Refusal } from '../../lib/core/accounting/refusal.ts';
import { type ErrorDetails, GatewayError } from '../../lib/core/errors/errors.ts';
import { createNoteRefusal } from '../../lib/stores/usage/note-refusal.ts';
import { testRecord } from '../harness/ledger.ts';

const request = { ...testRecord({ status: 400, error: 'invalid_request' }), attempts: [] };

function noting(write?: () => Promise<void>) {
  const kept: Refusal[] = [];
  const put = write ?? (async (refusal: Refusal) => void kept.push(refusal));
  const warnings: unknown[] = [];
  let time = 0;
  const note = createNoteRefusal({ store: { put }, now: () => time, warn: (cause) => warnings.push(cause) });
  return {
    kept,
    warnings,
    note: (others: object = {}, error = new GatewayError('invalid_request', 'No.')) =>
      note({ ...request, ...others }, error),
    pass: (milliseconds: number) => {
      time += milliseconds;
    },
  };
}

test('of those that are alike, the first of each minute are kept, and the others counted', async () => {
  const { kept, note, pass } = noting();
  for (let count = 0; count < 1_000; count += 1) await note();
  expect(kept.map(({ more }) => more)).toEqual([0, 0, 0, 0, 0]);
  await note({ error: 'model_not_found' });
  await note({ key: 'key_other' });
  expect(kept).toHaveLength(7);
  pass(60_000);
  await note();
  await note();
  expect(kept.slice(7).map(({ more }) => more)).toEqual([995, 0]);
});

test('of all together, a process keeps a bounded number in a minute', async () => {
  const { kept, note, pass } = noting();
  for (let count = 0; count < 5_000; count += 1) await note({ key: `key_${count}` });
  expect(kept).toHaveLength(120);
  pass(60_000);
  await note({ key: 'key_next' });
  expect(kept).toHaveLength(121);
});

test('it costs nothing, and has no attempt', async () => {
  const { kept, note } = noting();
  await note();
  expect(kept[0]?.record).toEqual({ ...request, cost: 0, charge: 0 });
});

test.each<[message: string, shown: string, details?: ErrorDetails, param?: string]>([
  [
    "'temperature' must be at most 2.",
    "'temperature' must be at most 2.",
    { param: 'temperature' },
    'temperature',
  ],
  [
    "The model 'my secret plan' does not exist.",
    "The model '…' does not exist.",
    { param: 'model' },
    'model',
  ],
  ["Did you mean 'openai/gpt-5.4'?", "Did you mean 'openai/gpt-5.4'?"],
  [
    "'tool_choice' names 'what I said', see 'messages.0.content'.",
    "'tool_choice' names '…', see 'messages.0.content'.",
  ],
  ["The key 'sk-proj-ABCdef123' is wrong.", "The key '…' is wrong."],
  ['Unknown.', 'Unknown.', { param: 'what I said' }, '…'],
  ['a'.repeat(900), 'a'.repeat(500)],
])('of %s, it shows %s', async (message, shown, details = {}, param = undefined) => {
  const { kept, note } = noting();
  await note({}, new GatewayError('invalid_request', message, details));
  expect(kept[0]?.message).toBe(shown);
  expect(kept[0]?.param).toBe(param);
});

test('a table that does not answer is waited for half a second, and one that fails is on record', async () => {
  const silent = noting(() => new Promise(() => {}));
  await silent.note();
  const failing = noting(() => Promise.reject(new Error('No table.')));
  await failing.note();
  expect(failing.warnings).toHaveLength(1);
});
