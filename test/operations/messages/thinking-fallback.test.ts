/** A fallback among Claude models in a conversation with signed thinking: a signature is of one model at one place. */
import { describe, expect, test } from 'vitest';
import { encodeDetails } from '../../../lib/operations/messages/signature.ts';
import { atAnthropic, message, useFirstLane } from '../../harness/first-lane.ts';
import type { Json } from '../../harness/messages.ts';
import { answerJson, type UpstreamScript } from '../../harness/upstream.ts';

const lane = useFirstLane();
const other = 'anthropic/claude-haiku-4-5';

const signed = { type: 'thinking', thinking: 'I look.', signature: 'EqQBCkYI' };
const redacted = { type: 'redacted_thinking', data: 'EmwKAhgB' };
const call = { type: 'tool_use', id: 'toolu_1', name: 'weather', input: {} };
const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'Sunny.' };
const messages = [
  { role: 'user', content: 'What is the weather?' },
  { role: 'assistant', content: [signed, redacted, call] },
  { role: 'user', content: [result] },
];
const refusal = 'messages.1.content.0: Invalid `signature` in `thinking` block';

const isOther = (model: unknown): boolean => /haiku/.test(String(model));

const failed = (type: string, words: string, status: number): UpstreamScript =>
  answerJson({ type: 'error', error: { type, message: words } }, status);

/** The first model is overloaded; the other one refuses thinking in these words. */
const refusing =
  (words: string): UpstreamScript =>
  (request, response) => {
    const { model, messages: given } = request.body;
    const hasThinking = /"(?:redacted_)?thinking","(?:thinking|data)"/.test(JSON.stringify(given));
    const taken = hasThinking ? failed('invalid_request_error', words, 400) : answerJson(message);
    const answer = isOther(model) ? taken : failed('overloaded_error', 'Overloaded', 529);
    return answer(request, response);
  };

const body = {
  max_tokens: 4000,
  messages,
  tools: [{ name: 'weather', input_schema: { type: 'object' } }],
  thinking: { type: 'enabled', budget_tokens: 1024 },
};

describe('a fallback that refuses the signatures of the first model', () => {
  test('is asked once more without them, on record', async () => {
    const extra = { fallbacks: [other], debug: ['normalizations'] };
    const response = await lane.answered(refusing(refusal), { ...body, extra });
    const answer = (await response.json()) as Json & {
      readonly debug: { readonly normalizations: readonly Json[] };
    };
    expect([response.status, answer.content]).toEqual([200, message.content]);
    const sent = lane.upstream.requests.map((request) => request.body).filter(({ model }) => isOther(model));
    expect(sent[0]?.messages, 'first as the caller wrote it').toEqual(messages);
    expect(sent[1]).toMatchObject({
      messages: [messages[0], { role: 'assistant', content: [call] }, messages[2]],
      thinking: { type: 'disabled' },
    });
    expect(answer.debug.normalizations.map(({ param, action }) => [param, action])).toEqual([
      ['messages.1.content', 'strip'],
      ['thinking', 'override'],
    ]);
  });

  test('is not asked again where it refuses something else', async () => {
    const response = await lane.answered(refusing('tools.0: no.'), {
      ...body,
      extra: { fallbacks: [other] },
    });
    expect(response.status, 'the error of the first model').toBe(529);
    expect(lane.upstream.requests.filter(({ body: { model } }) => isOther(model))).toHaveLength(1);
  });
});

test('a conversation that was elsewhere in between goes on, though Claude refuses its earlier thinking', async () => {
  const encoded = encodeDetails({ model: 'openai/gpt-5.5', format: 'openai', details: [] });
  const between = {
    role: 'assistant',
    content: [{ type: 'thinking', thinking: '', signature: encoded }, call],
  };
  const conversation = [...messages, between, messages[2]];
  const response = await lane.answered(
    (request, answer) => {
      const isRefused = JSON.stringify(request.body).includes(signed.signature);
      return (isRefused ? failed('invalid_request_error', refusal, 400) : answerJson(message))(
        request,
        answer,
      );
    },
    { ...body, messages: conversation },
  );
  expect(response.status).toBe(200);
  expect(lane.upstream.requests).toHaveLength(2);
});

test("the first target's refusal reaches the caller in its own words, who acts on them", async () => {
  const response = await lane.answered(failed('invalid_request_error', refusal, 400), body);
  expect([response.status, await response.json()]).toMatchObject([400, { error: { message: refusal } }]);
  expect(lane.upstream.requests).toHaveLength(1);
  expect(lane.upstream.requests[0]?.body.model).toContain(atAnthropic.split(/[/:]/)[1]);
});
