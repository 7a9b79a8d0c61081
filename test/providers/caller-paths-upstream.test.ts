/** A field that an upstream error names has the path that the caller gave it, wherever rules have moved it. */
import { describe, expect, test } from 'vitest';
import { useUpstreamGateway } from '../harness/gateways/upstream-gateway.ts';
import { answerEvents, answerJson } from '../harness/upstream.ts';

const { gateway, upstream } = useUpstreamGateway('DEEPSEEK');

const model = 'deepseek/deepseek-flash';
const refusal = (param: string) => ({
  error: { message: 'No.', type: 'invalid_request_error', param, code: 'invalid_value' },
});

/** The last result is sent right after its call, and so before the question. */
const messages = [
  { role: 'user', content: 'What time is it?' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'a', type: 'function', function: { name: 'now', arguments: '{}' } }],
  },
  { role: 'user', content: [{ type: 'text', text: 'Well?' }] },
  { role: 'tool', tool_call_id: 'a', content: '12:00' },
];
const input = [
  { role: 'user', content: 'What time is it?' },
  { type: 'function_call', call_id: 'a', name: 'now', arguments: '{}' },
  { role: 'user', content: [{ type: 'input_text', text: 'Well?' }] },
  { type: 'function_call_output', call_id: 'a', output: '12:00' },
];

/** The path that upstream names, and those of chat and of Responses. */
const paths: readonly [string, string, string][] = [
  ['messages[2].content', 'messages.3.content', 'input.3.output'],
  ['messages.3.content.0.text', 'messages.2.content.0.text', 'input.2.content.0.text'],
  ['messages[3]', 'messages.2', 'input.2'],
  [
    'messages[1].tool_calls[0].function.arguments',
    'messages.1.tool_calls.0.function.arguments',
    'input.1.arguments',
  ],
  ['messages[9].content', 'messages', 'input'],
  ['max_tokens', 'max_tokens', 'max_output_tokens'],
];

describe.each(paths)('an error of %s', (sent, inChat, inResponses) => {
  test('is one of the field of chat', async () => {
    upstream.script(answerJson(refusal(sent), 400));
    const response = await gateway.post('/v1/chat/completions', { model, messages });
    expect(response.status).toBe(400);
    expect(JSON.parse(await response.text()).error).toMatchObject({ param: inChat, message: 'No.' });
    expect(upstream.requests[0]?.body.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant' },
      { role: 'tool' },
      { role: 'user' },
    ]);
  });

  test('is one of the field of Responses', async () => {
    upstream.script(answerJson(refusal(sent), 400));
    const response = await gateway.post('/v1/responses', { model, input });
    expect(response.status).toBe(400);
    expect(JSON.parse(await response.text()).error).toMatchObject({ param: inResponses, message: 'No.' });
  });

  test('is one of the field of chat also in the middle of a stream', async () => {
    const delta = { role: 'assistant', content: 'It is' };
    const begun = { id: 'x', choices: [{ index: 0, delta, finish_reason: null }] };
    upstream.script(answerEvents([begun, refusal(sent)], { done: false }));
    const response = await gateway.post('/v1/chat/completions', { model, messages, stream: true });
    const events = (await response.text()).split('\n\n').filter((event) => event.includes('"error"'));
    expect(events).toHaveLength(1);
    expect(events[0]).toContain(`"param":"${inChat}"`);
  });
});
