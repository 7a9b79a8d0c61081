/** The detail of images: the finest goes to models that know it, and others get the finest of theirs, on record. */
import { expect, test } from 'vitest';
import { useWatchedGateway } from '../harness/gateways/watched-gateway.ts';

const gateway = useWatchedGateway('groq', 'mistral');

const url = 'https://example.com/a.png';
const asChat = (detail: string) => ({
  messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url, detail } }] }],
});
const asResponses = (detail: string) => ({
  input: [{ role: 'user', content: [{ type: 'input_image', image_url: url, detail }] }],
});

async function send(path: string, model: string, conversation: object) {
  gateway.take();
  const response = await gateway.post(path, { model, ...conversation, extra: { debug: ['normalizations'] } });
  const { debug } = JSON.parse(await response.text());
  const [sent] = gateway.take().map(({ body }) => JSON.stringify(body));
  return { status: response.status, sent, changes: debug?.normalizations ?? [] };
}

const chat = '/v1/chat/completions';
const responses = '/v1/responses';

test.each([
  [chat, 'openai/gpt-4.1', asChat, 'messages.0.content.0.image_url.detail'],
  [chat, 'openai/gpt-5.2', asChat, 'messages.0.content.0.image_url.detail'],
  [chat, 'openai/gpt-5.4-mini', asChat, 'messages.0.content.0.image_url.detail'],
  [chat, 'qwen/qwen3.8-27b', asChat, 'messages.0.content.0.image_url.detail'],
  [chat, 'mistral/mistral-large-2512', asChat, 'messages.0.content.0.image_url.detail'],
  [responses, 'openai/gpt-4.1', asResponses, 'input.0.content.0.detail'],
  [responses, 'qwen/qwen3.8-27b', asResponses, 'input.0.content.0.detail'],
])('%s to %s: original detail becomes high', async (path, model, conversation, param) => {
  const { status, sent, changes } = await send(path, model, conversation('original'));
  expect(status).toBe(200);
  expect(sent).toContain('"detail":"high"');
  expect(changes).toContainEqual({
    param,
    action: 'override',
    before: 'original',
    after: 'high',
    reason: 'The model does not support this detail. The nearest supported detail is used.',
  });
});

test.each([
  [chat, 'openai/gpt-5.4', asChat],
  [chat, 'openai/gpt-6-sol', asChat],
  [responses, 'openai/gpt-5.5', asResponses],
])('%s to %s: original detail goes as it is', async (path, model, conversation) => {
  const { status, sent, changes } = await send(path, model, conversation('original'));
  expect(status).toBe(200);
  expect(sent).toContain('"detail":"original"');
  expect(changes.filter(({ param }: { param: string }) => param.endsWith('detail'))).toEqual([]);
});
