/** When the caller disconnects, the provider's call ends when the time for its counts is over. */
import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { useUpstreamGateway } from '../../harness/gateways/upstream-gateway.ts';

const { gateway, upstream } = useUpstreamGateway('OPENAI', { GATEWAY_READ_ON_MS: '100' });

const chunk = (content: string) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`;

async function leaveAfter(stream: boolean, leave: (controller: AbortController) => Promise<void>) {
  const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.apiKey, maxRetries: 0 });
  const controller = new AbortController();
  const messages = [{ role: 'user' as const, content: 'Hello' }];
  const asked = client.chat.completions
    .create({ model: 'openai/gpt-4.1', messages, stream }, { signal: controller.signal })
    .then(async (answer) => {
      if (Symbol.asyncIterator in answer) for await (const _ of answer) await leave(controller);
    })
    .catch((error) => error);
  return { controller, asked };
}

async function untilAsked(): Promise<void> {
  while (upstream.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
}

test.each([true, false])('before the first token (streamed: %s)', async (stream) => {
  upstream.script(() => undefined);
  const { controller, asked } = await leaveAfter(stream, async () => undefined);
  await untilAsked();
  controller.abort();
  await asked;
  expect(await upstream.requests[0]?.over).toBe(false);
});

test('in the middle of a stream', async () => {
  upstream.script((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(chunk('Once'));
  });
  const { asked } = await leaveAfter(true, async (controller) => {
    controller.abort();
  });
  await untilAsked();
  expect(await upstream.requests[0]?.over).toBe(false);
  await asked;
});
