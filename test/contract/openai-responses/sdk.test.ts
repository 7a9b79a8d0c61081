/** Responses with the official SDK: streams, tools over several turns, structured output, and stored ones that others continue. */
import type OpenAI from 'openai';
import { zodTextFormat } from 'openai/helpers/zod';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { useSdk } from '../../harness/clients/sdk.ts';
import { protocolRows, rowsThat } from '../../harness/matrix/providers.ts';

type ResponseInput = OpenAI.Responses.ResponseInput;

const client = useSdk();

/** OpenAI's own protocol has three providers. */
const rows = [...protocolRows, ...rowsThat(({ provider }) => provider === 'azure' || provider === 'xai')];

const tools: OpenAI.Responses.FunctionTool[] = ['get_weather', 'get_time'].map((name) => ({
  type: 'function',
  name,
  description: `The ${name.slice(4)} of a city`,
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  },
  strict: true,
}));

const weather = z.object({ city: z.string(), degrees: z.number().int() });
const text = { format: zodTextFormat(weather, 'weather') };
const question = 'The weather in Oslo? sandbox call get_weather';
const both = 'Both, please: sandbox call get_weather, sandbox call get_time';

const callsOf = ({ output }: OpenAI.Responses.Response) =>
  output.filter((item) => item.type === 'function_call');

/** What a caller sends of its question, the answer and the results of its calls. */
const continued = (asked: string, response: OpenAI.Responses.Response) =>
  [{ role: 'user', content: asked }, ...response.output, ...resultsOf(response)] as ResponseInput;

const resultsOf = (response: OpenAI.Responses.Response): ResponseInput =>
  callsOf(response).map(({ call_id, name }) => ({
    type: 'function_call_output',
    call_id,
    output: `result of ${name}`,
  }));

describe.each(rows)('$provider', ({ model, reasoning }) => {
  test('answers in a stream that ends with the complete answer', async () => {
    const stream = client().responses.stream({ model, input: [{ role: 'user', content: 'Say zebra.' }] });
    const events = await Array.fromAsync(stream);
    const response = await stream.finalResponse();
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index));
    const streamed = events.map((event) => (event.type === 'response.output_text.delta' ? event.delta : ''));
    expect(streamed.join('')).toContain('zebra');
    expect(response).toMatchObject({ status: 'completed', output_text: streamed.join('') });
  });

  test('reports that it stopped at the requested length', async () => {
    const input = `Repeat: ${'a long story with many words '.repeat(20)}`;
    const response = await client().responses.create({ model, max_output_tokens: 16, input });
    expect(response.status).toBe('incomplete');
    expect(response.incomplete_details).toEqual({ reason: 'max_output_tokens' });
  });

  test('answers by a schema, parsed by the SDK, and in JSON mode', async () => {
    const asked = { model, input: 'The weather in Oslo.', text };
    const whole = await client().responses.parse(asked);
    const streamed = await client().responses.stream(asked).finalResponse();
    for (const { output_parsed } of [whole, streamed])
      expect(weather.safeParse(output_parsed).success).toBe(true);
    const input = 'Answer in JSON: the weather in Oslo.';
    const format = { type: 'json_object' as const };
    const { output_text } = await client().responses.create({ model, input, text: { format } });
    expect(JSON.parse(output_text)).toBeTypeOf('object');
  });

  test('calls a tool, and continues with its result by the id of the response', async () => {
    const first = await client().responses.create({ model, tools, input: question });
    const [call] = callsOf(first);
    expect(call?.name).toBe('get_weather');
    expect(JSON.parse(call?.arguments ?? '')).toEqual({ city: expect.any(String) });
    const asked = { model, tools, previous_response_id: first.id, input: resultsOf(first) };
    const second = await client().responses.create(asked);
    expect(second.previous_response_id).toBe(first.id);
    expect(second.output_text).toContain('result of get_weather');
    const next = { model, previous_response_id: second.id, input: 'Say zebra.' };
    expect((await client().responses.create(next)).output_text).toContain('zebra');
  });

  test('calls several tools at once in a stream, and accepts all results', async () => {
    const first = await client().responses.stream({ model, tools, input: both }).finalResponse();
    expect(callsOf(first).map(({ name }) => name)).toEqual(['get_weather', 'get_time']);
    expect(new Set(callsOf(first).map(({ call_id }) => call_id)).size).toBe(2);
    const second = await client().responses.create({ model, tools, input: continued(both, first) });
    for (const { name } of tools) expect(second.output_text).toContain(`result of ${name}`);
  });

  test('calls the required tool', async () => {
    const tool_choice = { type: 'function' as const, name: 'get_time' };
    const response = await client().responses.create({ model, tools, tool_choice, input: question });
    expect(callsOf(response).map(({ name }) => name)).toEqual(['get_time']);
  });

  test('gets its own reasoning back without stored responses', async () => {
    const settings = {
      model: reasoning ?? model,
      tools,
      store: false,
      include: ['reasoning.encrypted_content' as const],
      reasoning: { effort: 'low' as const },
    };
    const first = await client().responses.create({ ...settings, input: question });
    expect(callsOf(first)).toHaveLength(1);
    const asked = {
      ...settings,
      input: continued(question, first),
      extra: { debug: ['normalizations'] },
    };
    const second = await client().responses.create(asked);
    expect(second.output_text).toContain('result of get_weather');
    // Nova's reasoning is only shown.
    if (model.startsWith('amazon/')) return;
    const { debug } = second as unknown as { debug: { normalizations: { param: string }[] } };
    expect(debug.normalizations.filter(({ param }) => param.startsWith('input.'))).toEqual([]);
  });
});

test('a response is found, with its input, until it is deleted', async () => {
  const { responses } = client();
  const model = 'openai/gpt-4.1';
  const input: ResponseInput = ['Say one.', 'Say zebra.'].map((content) => ({ role: 'user', content }));
  const created = await responses.create({ model, input, metadata: { team: 'blue' } });
  const found = await responses.retrieve(created.id);
  expect(found).toEqual(created);
  expect(found.metadata).toEqual({ team: 'blue' });
  const items = await Array.fromAsync(responses.inputItems.list(created.id, { order: 'asc', limit: 1 }));
  expect(items).toMatchObject([
    { content: [{ type: 'input_text', text: 'Say one.' }] },
    { content: [{ type: 'input_text', text: 'Say zebra.' }] },
  ]);
  await responses.delete(created.id);
  await expect(responses.retrieve(created.id)).rejects.toMatchObject({ status: 404 });
});

test('a response with store: false is not found, and cannot be continued', async () => {
  const model = 'openai/gpt-4.1';
  const { id } = await client().responses.create({ model, input: 'Say one.', store: false });
  await expect(client().responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
  const next = { model, input: 'Say two.', previous_response_id: id };
  await expect(client().responses.create(next)).rejects.toMatchObject({
    status: 400,
    param: 'previous_response_id',
    code: 'previous_response_not_found',
  });
});

/** Each model that reasons is followed by the next one. */
const reasoners = rows.flatMap(({ reasoning }) => reasoning ?? []);
const pairs = reasoners.map((from, index) => ({ from, to: reasoners.at(index - 1) ?? from }));

test.each(pairs)('$to continues a response of $from', async ({ from, to }) => {
  const reasoning = { effort: 'low' as const };
  const first = await client().responses.create({ model: from, tools, reasoning, input: question });
  const asked = { tools, previous_response_id: first.id, input: resultsOf(first) };
  const second = await client().responses.create({ model: to, ...asked });
  expect(second.model).toBe(to);
  expect(second.output_text).toContain('result of get_weather');
});
