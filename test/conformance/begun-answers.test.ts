/** A last message of the assistant's is the beginning of the answer: hosts are told to continue it in their own way. */
import { expect, test } from 'vitest';
import { useWatchedGateway } from '../harness/gateways/watched-gateway.ts';

const gateway = useWatchedGateway('deepseek', 'alibaba', 'moonshot', 'mistral');

const question = { role: 'user', content: 'Name a colour.' };
const begun = { role: 'assistant', content: 'The colour is' };

async function send(model: string, messages: readonly object[], others: object = {}) {
  gateway.take();
  const body = { model, messages, ...others, extra: { debug: ['normalizations'] } };
  const response = await gateway.post('/v1/chat/completions', body);
  const answer = JSON.parse(await response.text());
  const [request] = gateway.take();
  const sent = request?.body as { messages: readonly object[] } | undefined;
  const changes: readonly { param: string }[] = answer.debug?.normalizations ?? [];
  return { status: response.status, path: request?.path, last: sent?.messages.at(-1), changes };
}

test.each([
  ['deepseek/deepseek-v4-flash', { ...begun, prefix: true }, '/beta/chat/completions'],
  ['alibaba/qwen3-coder-plus', { ...begun, partial: true }, '/chat/completions'],
  ['moonshotai/kimi-k2.6', { ...begun, partial: true }, '/chat/completions'],
  ['mistral/mistral-large-2512', { ...begun, prefix: true }, '/chat/completions'],
])('%s continues it', async (model, wanted, path) => {
  const sent = await send(model, [question, begun], { reasoning_effort: 'none' });
  expect([sent.status, sent.path]).toEqual([200, path]);
  expect(sent.last).toEqual(wanted);
});

test('another request to DeepSeek has the usual path', async () => {
  const { status, path } = await send('deepseek/deepseek-v4-flash', [question, begun, question]);
  expect([status, path]).toEqual([200, '/chat/completions']);
});

test('Qwen does not continue it while it reasons, on record', async () => {
  const { status, last, changes } = await send('alibaba/qwen3.7-plus', [question, begun], {
    reasoning_effort: 'high',
  });
  expect([status, last]).toEqual([200, begun]);
  expect(changes).toContainEqual({
    param: 'messages.1',
    action: 'override',
    before: { continued: true },
    after: { continued: false },
    reason: 'The model does not continue an assistant message while it reasons. It answers after it.',
  });
  const quick = await send('alibaba/qwen3.7-plus', [question, begun], { reasoning_effort: 'none' });
  expect([quick.status, quick.last]).toEqual([200, { ...begun, partial: true }]);
});
