/** A caller who leaves while there are fallbacks: nobody else is called for an answer that nobody waits for. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { putModels } from '../harness/catalog.ts';
import { startTestGateway, type TestGateway } from '../harness/gateway.ts';
import { breakOff, type Fault, neverAnswer, refuse, startWall, type Wall } from './wall.ts';

const faults: Readonly<Record<string, Fault>> = {
  silent: neverAnswer,
  talking: breakOff(20, 'silence'),
  busy: refuse(503, 'overloaded', { 'retry-after': '2' }),
};

let gateway: TestGateway;
let wall: Wall;

beforeAll(async () => {
  wall = await startWall(faults);
  gateway = await startTestGateway({ OPENAI_UPSTREAM_URL: wall.url, OPENAI_API_KEY: 'a-provider-key' });
  const names = [...Object.keys(faults), 'other'];
  const places = names.map((upstreamId) => [`faults/${upstreamId}`, [{ provider: 'openai', upstreamId }]]);
  await putModels(Object.fromEntries(places));
});
afterAll(async () => {
  await gateway?.close();
  await wall?.close();
});

const callsOf = (model: string) => wall.calls.filter((call) => call.model === model);

test.each([
  { model: 'silent', moment: 'before the first token', firstCallIsCutOff: true },
  { model: 'talking', moment: 'in the middle of a stream', firstCallIsCutOff: true },
  { model: 'busy', moment: 'while a target is given time to recover', firstCallIsCutOff: false },
])('$moment', async ({ model, firstCallIsCutOff }) => {
  const leaving = new AbortController();
  const asked = fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: `faults/${model}`,
      messages: [{ role: 'user', content: 'Say the words.' }],
      stream: true,
      extra: { fallbacks: ['faults/other'] },
    }),
    signal: leaving.signal,
  }).then(async (response) => response.text().catch(() => 'left'));
  while (callsOf(model).length === 0) await pause(10);
  await pause(200);
  const left = performance.now();
  leaving.abort();
  await asked.catch(() => undefined);
  expect(await callsOf(model)[0]?.over).toBe(!firstCallIsCutOff);
  expect(performance.now() - left).toBeLessThan(1_000);
  await pause(2_600 * Number(!firstCallIsCutOff) + 300);
  expect([callsOf(model).length, callsOf('other').length]).toEqual([1, 0]);
});
