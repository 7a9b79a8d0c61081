/** Answers that are as large as models may make them pass whole: a bound is for those that no model gives. */
import { expect, test } from 'vitest';
import { postJson } from '../harness/post.ts';
import { useAttackedGateway } from './attacked-gateway.ts';
import { head } from './hostile-upstream.ts';

const { upstream, gateway } = useAttackedGateway('OPENAI');

const ask = (more: object) =>
  postJson(`${gateway.baseUrl}/chat/completions`, gateway.apiKey, {
    model: 'openai/gpt-4.1-mini',
    messages: [{ role: 'user', content: 'Hello.' }],
    logprobs: true,
    ...more,
  });

const token = { token: ' word', logprob: -1.2345678, bytes: [32, 119, 111, 114, 100] };
const likely = (count: number) => ({ ...token, top_logprobs: Array(count).fill(token) });
const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

/** OpenAI writes its bodies with indents of two blanks. */
const body = (tokens: number, top: number) => {
  const entry = JSON.stringify(likely(top), null, 2).replaceAll('\n', `\n${' '.repeat(10)}`);
  const content = Array(tokens).fill(entry).join(',\n          ');
  return `{"id":"a","object":"chat.completion","created":1,"model":"gpt-4.1-mini","choices":[{"index":0,"message":{"role":"assistant","content":"words"},"logprobs":{"content":[${content}],"refusal":null},"finish_reason":"stop"}],"usage":${JSON.stringify(usage)}}`;
};

test.each([
  // 16,384 tokens are the most of many models.
  { tokens: 10_000, top: 20 },
  { tokens: 130_000, top: 0 },
])('$tokens tokens with $top others each, as one body', async ({ tokens, top }) => {
  upstream.script(() => [head('application/json'), body(tokens, top)]);
  const response = await ask(top > 0 ? { top_logprobs: top } : {});
  expect(response.status).toBe(200);
  const { choices } = (await response.json()) as {
    choices: [{ logprobs: { content: { top_logprobs: unknown[] }[] } }];
  };
  expect(choices[0].logprobs.content).toHaveLength(tokens);
  expect(choices[0].logprobs.content.at(-1)?.top_logprobs).toHaveLength(top);
});

test('32,000 tokens with 20 others each, as a stream', async () => {
  const logprobs = { content: [likely(20)], refusal: null };
  const chunk = { id: 'a', object: 'chat.completion.chunk', created: 1, model: 'gpt-4.1-mini' };
  const piece = { ...chunk, choices: [{ index: 0, delta: { content: 'w' }, logprobs, finish_reason: null }] };
  const end = { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage };
  const pieces = `data: ${JSON.stringify(piece)}\n\n`.repeat(100);
  upstream.script(function* () {
    yield head('text/event-stream');
    for (let count = 0; count < 32_000; count += 100) yield pieces;
    yield `data: ${JSON.stringify(end)}\n\ndata: [DONE]\n\n`;
  });
  const response = await ask({ top_logprobs: 20, stream: true });
  let [last, rest, words] = ['', '', 0];
  for await (const chunk of response.body ?? []) {
    const text = rest + Buffer.from(chunk).toString();
    rest = text.slice(text.lastIndexOf('\n') + 1);
    words += text.slice(0, text.length - rest.length).match(/"content":"w"/g)?.length ?? 0;
    last = (last + text).slice(-1_000);
  }
  expect(last).not.toContain('"error"');
  expect(last.trimEnd().endsWith('[DONE]')).toBe(true);
  expect(words).toBe(32_000);
});
