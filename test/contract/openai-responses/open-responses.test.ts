/**
 * The rules of Open Responses, in every protocol. Source: openresponses/openresponses, ResponseResource.json and the
 * templates of its compliance runner (text, stream, system prompt, tools, image, several turns, previous response).
 */
import { describe, expect, test } from 'vitest';
import { useGateway } from '../../harness/gateways/use-gateway.ts';
import { pixel, protocolRows, rowsThat } from '../../harness/matrix/providers.ts';
import { type Json, readResponseStream } from '../../harness/responses/response-stream.ts';

const gateway = useGateway();

const integer = (value: unknown) => Number.isInteger(value);
const number = (value: unknown) => typeof value === 'number';
const text = (value: unknown) => typeof value === 'string';
const flag = (value: unknown) => typeof value === 'boolean';
const object = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
const orNull = (check: (value: unknown) => boolean) => (value: unknown) => value === null || check(value);

/** Every field that a response must have, in each of its states. */
const fields: Readonly<Record<string, (value: unknown) => boolean>> = {
  id: text,
  object: (value) => value === 'response',
  created_at: integer,
  completed_at: orNull(integer),
  status: text,
  incomplete_details: orNull(object),
  model: text,
  previous_response_id: orNull(text),
  instructions: orNull((value) => text(value) || Array.isArray(value)),
  output: Array.isArray,
  error: orNull(object),
  tools: Array.isArray,
  tool_choice: (value) => text(value) || object(value),
  truncation: (value) => value === 'auto' || value === 'disabled',
  parallel_tool_calls: flag,
  text: object,
  top_p: number,
  presence_penalty: number,
  frequency_penalty: number,
  top_logprobs: integer,
  temperature: number,
  reasoning: orNull(object),
  user: orNull(text),
  usage: orNull(object),
  max_output_tokens: orNull(integer),
  max_tool_calls: orNull(integer),
  store: flag,
  background: flag,
  service_tier: text,
  metadata: object,
  safety_identifier: orNull(text),
  prompt_cache_key: orNull(text),
};

function brokenFields(response: Json): readonly string[] {
  return Object.entries(fields).flatMap(([name, check]) => {
    return name in response && check(response[name]) ? [] : [`${name}: ${JSON.stringify(response[name])}`];
  });
}

async function create(body: object): Promise<Json> {
  const answer = await gateway().post('/v1/responses', body);
  const response: Json = JSON.parse(await answer.text());
  expect(brokenFields(response)).toEqual([]);
  expect(response).toMatchObject({ status: 'completed', error: null, output: expect.any(Array) });
  expect(response.usage).toMatchObject({
    input_tokens: expect.any(Number),
    input_tokens_details: { cached_tokens: expect.any(Number) },
    output_tokens: expect.any(Number),
    output_tokens_details: { reasoning_tokens: expect.any(Number) },
    total_tokens: expect.any(Number),
  });
  return response;
}

async function stream(body: object): Promise<Json> {
  const answer = await gateway().post('/v1/responses', { ...body, stream: true });
  const { events, response } = readResponseStream(await answer.text());
  for (const event of events) {
    if (object(event.response))
      expect([event.type, brokenFields(event.response as Json)]).toEqual([event.type, []]);
  }
  expect(events.at(-1)?.type).toBe('response.completed');
  return response;
}

const itemsOf = ({ output }: Json, type: string) =>
  (output as readonly Json[]).filter((item) => item.type === type);
const message = (role: string, content: unknown) => ({ type: 'message', role, content });
const question = message('user', 'Say hello in three words.');
const tools = [
  {
    type: 'function',
    name: 'get_weather',
    description: 'Gives the weather of a place.',
    parameters: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
  },
];
const asked = message('user', 'The weather in Oslo? sandbox call get_weather {"place": "Oslo"}');

/** OpenAI's own protocol has three providers. */
const rows = [...protocolRows, ...rowsThat(({ provider }) => provider === 'azure' || provider === 'xai')];

describe.each(rows)('$provider', ({ model, ...row }) => {
  test('answers with a text', async () => {
    const response = await create({ model, input: [question] });
    const [answer] = itemsOf(response, 'message');
    expect(answer).toMatchObject({ id: expect.any(String), status: 'completed', role: 'assistant' });
    expect(answer?.content).toMatchObject([{ type: 'output_text', annotations: [], logprobs: [] }]);
  });

  test('answers in a stream', async () => {
    expect(itemsOf(await stream({ model, input: [question] }), 'message')).toHaveLength(1);
  });

  test('takes a system prompt, and several turns', async () => {
    const input = [message('system', 'Be brief.'), question, message('assistant', 'Hello you there.')];
    await create({ model, input: [...input, message('user', 'And in two?')] });
  });

  test.runIf(row.images)('looks at an image', async () => {
    const content = [
      { type: 'input_text', text: 'What is this?' },
      { type: 'input_image', image_url: pixel },
    ];
    await create({ model, input: [message('user', content)] });
  });

  test.runIf(row.tools !== 'none').each([
    ['whole', create],
    ['streamed', stream],
  ])('calls a function: %s', async (_, send) => {
    const response = await send({ model, input: [asked], tools });
    expect(response.tools).toMatchObject([{ type: 'function', name: 'get_weather' }]);
    expect((response.tools as readonly Json[])[0]).toHaveProperty('strict');
    const [call] = itemsOf(response, 'function_call');
    expect(call).toMatchObject({ id: expect.any(String), status: 'completed', name: 'get_weather' });
    const result = { type: 'function_call_output', call_id: call?.call_id, output: 'Rain.' };
    const next = await send({ model, previous_response_id: response.id, input: [result], tools });
    expect(next.previous_response_id).toBe(response.id);
  });
});
