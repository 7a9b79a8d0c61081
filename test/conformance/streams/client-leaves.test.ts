/** When the caller disconnects, the provider's call ends when the time for its counts is over, in every protocol. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { useProtocolGateway } from '../../harness/gateways/protocol-gateway.ts';
import {
  type ProtocolScript,
  ping,
  protocolScripts,
  protocolsAndForms,
  start,
  text,
} from '../../harness/protocol-scripts.ts';

const protocols = useProtocolGateway({ GATEWAY_READ_ON_MS: '100' });

function ask(script: ProtocolScript, stream: boolean, signal: AbortSignal): Promise<Response> {
  return fetch(`${protocols.gateway.url}/v1/chat/completions`, {
    method: 'POST',
    signal,
    headers: { authorization: `Bearer ${protocols.gateway.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: script.model, stream, messages: [{ role: 'user', content: 'Hello' }] }),
  });
}

async function expectOver(leave: () => void): Promise<void> {
  leave();
  expect(await protocols.upstream.requests[0]?.over).toBe(false);
}

test.each(protocolsAndForms)('$protocol, $form: before the first token', async ({ script, stream }) => {
  protocols.upstream.script((_request, response) => {
    response.writeHead(200, { 'content-type': stream ? script.streamType : 'application/json' });
    response.flushHeaders();
    if (stream) for (const frame of script.stream([start, ping])) response.write(frame);
  });
  const controller = new AbortController();
  const asked = ask(script, stream, controller.signal).catch(() => undefined);
  while (protocols.upstream.requests.length === 0) await pause(5);
  await pause(20);
  await expectOver(() => controller.abort());
  await asked;
});

test.each(protocolScripts)('$protocol: in the middle of the stream', async (script) => {
  protocols.upstream.script((_request, response) => {
    response.writeHead(200, { 'content-type': script.streamType });
    response.write(Buffer.concat(script.stream([start, text('Once')])));
  });
  const controller = new AbortController();
  const response = await ask(script, true, controller.signal);
  await response.body?.getReader().read();
  await expectOver(() => controller.abort());
});

test('no request is repeated for a caller who has left', async () => {
  // A retry starts after 625 ms at most.
  await pause(700);
  expect(protocols.upstream.total).toBe(protocolsAndForms.length + protocolScripts.length);
});
