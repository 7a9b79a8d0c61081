/** When the caller disconnects, the provider's call ends within a second, in every protocol. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { useWires } from '../../harness/gateways/wire-gateway.ts';
import { startStopwatch } from '../../harness/stopwatch.ts';
import {
  ping,
  start,
  text,
  type WireScript,
  wireScripts,
  wiresAndForms,
} from '../../harness/wire-scripts.ts';

const wires = useWires();

function ask(script: WireScript, stream: boolean, signal: AbortSignal): Promise<Response> {
  return fetch(`${wires.gateway.url}/v1/chat/completions`, {
    method: 'POST',
    signal,
    headers: { authorization: `Bearer ${wires.gateway.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: script.model, stream, messages: [{ role: 'user', content: 'Hello' }] }),
  });
}

async function expectOver(leave: () => void): Promise<void> {
  const watch = startStopwatch();
  leave();
  expect(await wires.upstream.requests[0]?.over).toBe(false);
  expect(watch.waitedMs()).toBeLessThan(1_000);
  await pause(700);
  expect(wires.upstream.requests, 'nobody is asked again').toHaveLength(1);
}

test.each(wiresAndForms)('$wire, $form: before the first token', async ({ script, stream }) => {
  wires.upstream.script((_request, response) => {
    response.writeHead(200, { 'content-type': stream ? script.streamType : 'application/json' });
    response.flushHeaders();
    if (stream) for (const frame of script.stream([start, ping])) response.write(frame);
  });
  const controller = new AbortController();
  const asked = ask(script, stream, controller.signal).catch(() => undefined);
  while (wires.upstream.requests.length === 0) await pause(5);
  await pause(20);
  await expectOver(() => controller.abort());
  await asked;
});

test.each(wireScripts)('$wire: in the middle of the stream', async (script) => {
  wires.upstream.script((_request, response) => {
    response.writeHead(200, { 'content-type': script.streamType });
    response.write(Buffer.concat(script.stream([start, text('Once')])));
  });
  const controller = new AbortController();
  const response = await ask(script, true, controller.signal);
  await response.body?.getReader().read();
  await expectOver(() => controller.abort());
});
