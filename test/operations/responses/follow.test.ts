/** Readers of a response that is created in the background and does not end: what each asks of the database, and when it stops. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { AwsCall } from '../../../lib/core/ports/aws.ts';
import { numbered, textOf } from '../../../lib/operations/responses/background/event-text.ts';
import { followRun, waitForResponse } from '../../../lib/operations/responses/background/follow.ts';
import { createBackgroundStore } from '../../../lib/stores/responses/background.ts';
import { createResponseStore } from '../../../lib/stores/responses/responses.ts';
import { useTestDatabase } from '../../stores/database.ts';

const database = useTestDatabase('state');

/** A response that a worker goes on with, its log with one event, and how often the database was asked. */
async function running() {
  const asked = { calls: 0 };
  const call: AwsCall = (...parameters) => {
    asked.calls += 1;
    return database.call(...parameters);
  };
  const now = () => Date.UTC(2026, 10, 20);
  const options = { call, table: 'state', now };
  const [runs, responses] = [createBackgroundStore(options), createResponseStore(options)];
  const ref = { tenant: 'acme', id: `resp_${randomUUID().replaceAll('-', '')}` };
  const begun = { id: ref.id, status: 'queued', background: true };
  const run = await runs.create(ref, { keyHash: 'a-hash', headers: {}, streamed: true, request: {}, begun });
  await runs.begin(ref, 'a-worker');
  await runs.append(run, 0, textOf(numbered('response.in_progress', 2, begun)));
  return { asked, run, parts: { runs, responses, now, release: async () => {} } };
}

test.each([
  [undefined, [0, 1, 2]],
  [0, [1, 2]],
  [2, []],
  [Number.MAX_SAFE_INTEGER, []],
])('a reader that leaves asks nothing more (after event %s)', async (after, expected) => {
  const { asked, run, parts } = await running();
  const leaving = new AbortController();
  const seen: number[] = [];
  const reading = (async () => {
    for await (const events of followRun(parts, run, { after, signal: leaving.signal }))
      seen.push(...events.map(({ sequence }) => sequence));
  })();
  const before = asked.calls;
  await expect.poll(() => asked.calls).toBeGreaterThan(before + 4);
  leaving.abort();
  await reading;
  expect(seen).toEqual(expected);
  const left = asked.calls;
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(asked.calls).toBe(left);
});

test('a reader without a log that leaves asks nothing more', async () => {
  const { asked, run, parts } = await running();
  const leaving = new AbortController();
  const waiting = waitForResponse(parts, run, leaving.signal);
  const before = asked.calls;
  await expect.poll(() => asked.calls).toBeGreaterThan(before);
  leaving.abort();
  expect(await waiting).toBeUndefined();
  const left = asked.calls;
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(asked.calls).toBe(left);
});
