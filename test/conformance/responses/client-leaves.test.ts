/** When the caller of a response disconnects, the provider's call ends within a second, and nothing is stored. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type ProtocolScript, ping, responseScripts, start, text } from '../../harness/protocol-scripts.ts';
import { useResponseProtocols } from '../../harness/responses/response-protocols.ts';
import { startStopwatch } from '../../harness/stopwatch.ts';

const { protocols } = useResponseProtocols({ GATEWAY_READ_ON_MS: '100' });

function ask({ model }: ProtocolScript, stream: boolean, signal: AbortSignal): Promise<Response> {
  const { url, apiKey } = protocols.gateway;
  return fetch(`${url}/v1/responses`, {
    method: 'POST',
    signal,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, stream, input: 'Hello' }),
  });
}

async function expectOver(leave: () => void): Promise<void> {
  const watch = startStopwatch();
  leave();
  expect(await protocols.upstream.requests[0]?.over).toBe(false);
  expect(watch.waitedMs()).toBeLessThan(1_000);
}

test.each(responseScripts)('$protocol: before the first token', async (script) => {
  protocols.upstream.script((_request, response) => {
    response.writeHead(200, { 'content-type': script.streamType });
    response.flushHeaders();
    for (const frame of script.stream([start, ping])) response.write(frame);
  });
  const controller = new AbortController();
  const asked = ask(script, true, controller.signal).catch(() => undefined);
  while (protocols.upstream.requests.length === 0) await pause(5);
  await pause(20);
  await expectOver(() => controller.abort());
  await asked;
});

test.each(responseScripts)('$protocol: in the middle of the stream', async (script) => {
  protocols.upstream.script((_request, response) => {
    response.writeHead(200, { 'content-type': script.streamType });
    response.write(Buffer.concat(script.stream([start, text('Once')])));
  });
  const controller = new AbortController();
  const response = await ask(script, true, controller.signal);
  const reader = response.body?.getReader();
  const first = new TextDecoder().decode((await reader?.read())?.value);
  expect(first).toContain('event: response.created');
  await expectOver(() => controller.abort());
});
