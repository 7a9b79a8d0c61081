/** When the caller disconnects, the provider's call ends when the time for its counts is over. */
import { describe, expect, test } from 'vitest';
import { bothGenerations } from '../../harness/clients/sdk-anthropic.ts';
import { useUpstreamGateway } from '../../harness/gateways/upstream-gateway.ts';

const { gateway, upstream } = useUpstreamGateway(['ANTHROPIC', 'OPENAI'], { GATEWAY_READ_ON_MS: '100' });

/** How a stream of each protocol begins. */
const beginnings = {
  'anthropic/claude-opus-5': [
    {
      type: 'message_start',
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'claude-opus-5',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 9, output_tokens: 1 },
      },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Once' } },
  ],
  'openai/gpt-4.1': [{ choices: [{ index: 0, delta: { content: 'Once' }, finish_reason: null }] }],
};

const request = (model: string) => ({
  model,
  max_tokens: 100,
  messages: [{ role: 'user' as const, content: 'Hello' }],
});

async function untilAsked(): Promise<void> {
  while (upstream.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe.each(bothGenerations)('$sdk', ({ client }) => {
  describe.each(Object.entries(beginnings))('%s', (model, events) => {
    test.each([true, false])('before the first token (streamed: %s)', async (stream) => {
      upstream.script(() => undefined);
      const controller = new AbortController();
      const { signal } = controller;
      const asked = client(gateway)
        .messages.create({ ...request(model), stream }, { signal })
        .catch((error) => error);
      await untilAsked();
      controller.abort();
      await asked;
      expect(await upstream.requests[0]?.over).toBe(false);
    });

    test('in the middle of a stream', async () => {
      upstream.script((_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (const event of events) {
          if ('type' in event) response.write(`event: ${event.type}\n`);
          response.write(`data: ${JSON.stringify(event)}\n\n`);
        }
      });
      const stream = client(gateway).messages.stream(request(model));
      await new Promise<void>((resolve) => void stream.once('text', () => resolve()));
      stream.abort();
      await expect(stream.done()).rejects.toThrow();
      expect(await upstream.requests[0]?.over).toBe(false);
    });
  });
});
