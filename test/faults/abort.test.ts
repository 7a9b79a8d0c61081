/** When the caller disconnects, no fallback is called, and the provider's call ends when the time for its counts is over. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { use } from '../harness/use.ts';
import { breakOff, type Fault, neverAnswer, refuse } from './failing-provider.ts';
import { startFailingGateway } from './gateway.ts';

const faults: Readonly<Record<string, Fault>> = {
  silent: neverAnswer,
  talking: breakOff(20, 'silence'),
  busy: refuse(503, 'overloaded', { 'retry-after': '2' }),
};

const setup = use(() => startFailingGateway(faults, ['other'], { GATEWAY_READ_ON_MS: '100' }));

const callsOf = (model: string) => setup.provider.calls.filter((call) => call.model === model);

test.each([
  { model: 'silent', moment: 'before the first token', firstCallIsCutOff: true },
  { model: 'talking', moment: 'in the middle of a stream', firstCallIsCutOff: true },
  { model: 'busy', moment: 'while waiting before a retry', firstCallIsCutOff: false },
])('$moment', async ({ model, firstCallIsCutOff }) => {
  const leaving = new AbortController();
  const asked = setup.gateway
    .post(
      '/v1/chat/completions',
      {
        model: `faults/${model}`,
        messages: [{ role: 'user', content: 'Say the words.' }],
        stream: true,
        extra: { fallbacks: ['faults/other'] },
      },
      {},
      leaving.signal,
    )
    .then(async (response) => response.text().catch(() => 'left'));
  while (callsOf(model).length === 0) await pause(10);
  await pause(200);
  leaving.abort();
  await asked.catch(() => undefined);
  expect(await callsOf(model)[0]?.over).toBe(!firstCallIsCutOff);
  await pause(2_600 * Number(!firstCallIsCutOff) + 300);
  expect([callsOf(model).length, callsOf('other').length]).toEqual([1, 0]);
});
