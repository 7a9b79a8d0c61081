/** Which requests are equal: none that a provider would get otherwise, whichever field of the schema makes the difference. */
import { beforeAll, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { requestSchema } from '../../build/openapi/json-schema.ts';
import { chatSchema } from '../../lib/operations/chat/read/schema.ts';
import { completionsSchema } from '../../lib/operations/completions/schema.ts';
import { embeddingsSchema } from '../../lib/operations/embeddings/schema.ts';
import { messagesSchema } from '../../lib/operations/messages/read/schema.ts';
import { responsesSchema } from '../../lib/operations/responses/read/schema.ts';
import { useCachedAnswers } from '../harness/cached-answers.ts';
import { reordered, withEachField, withEachLeaf } from '../harness/field-variants.ts';
import { putModels } from '../harness/matrix/catalog.ts';

const cached = useCachedAnswers();
const { upstream, newKey, ask } = cached;

beforeAll(() => putModels({ 'cached/claude': [{ provider: 'anthropic', upstreamId: 'claude' }] }));

const parameters = { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] };
const image = 'data:image/png;base64,iVBORw0KGgo=';
const extra = { cache: {} };

const chat = {
  messages: [
    { role: 'system', content: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Hi' },
        { type: 'image_url', image_url: { url: image } },
      ],
    },
    {
      role: 'assistant',
      content: 'So.',
      tool_calls: [
        { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"place":"here"}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'call_1', content: 'Rain' },
  ],
  tools: [{ type: 'function', function: { name: 'look', description: 'Looks.', parameters } }],
  tool_choice: 'auto',
  temperature: 0.5,
  max_tokens: 50,
  response_format: { type: 'json_schema', json_schema: { name: 'a', schema: parameters } },
  extra,
};

const responses = {
  input: [
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
    { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{"place":"here"}' },
    { type: 'function_call_output', call_id: 'call_1', output: 'Rain' },
  ],
  instructions: 'Be brief.',
  tools: [{ type: 'function', name: 'look', description: 'Looks.', parameters, strict: false }],
  max_output_tokens: 50,
  store: false,
  extra,
};

const messages = {
  max_tokens: 100,
  system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'call_1', name: 'look', input: { place: 'here' } }],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'Rain' }] },
  ],
  tools: [{ name: 'look', description: 'Looks.', input_schema: parameters }],
  extra,
};

const completions = { prompt: 'Once', max_tokens: 50, temperature: 0.5, extra };
const embeddings = { input: ['one', 'two'], dimensions: 256, extra };

const openai = 'openai/gpt-4.1-mini';

/** At the providers that get the most fields: what decides is taken from the request, whatever its target. */
const rows: readonly (readonly [
  name: string,
  model: string,
  path: string,
  schema: z.core.$ZodType,
  body: object,
])[] = [
  ['chat', openai, '/v1/chat/completions', chatSchema, chat],
  ['Responses', openai, '/v1/responses', responsesSchema, responses],
  ['Messages', 'cached/claude', '/v1/messages', messagesSchema, messages],
  ['completions', 'cached/one', '/v1/completions', completionsSchema, completions],
  ['embeddings', 'openai/text-embedding-3-small', '/v1/embeddings', embeddingsSchema, embeddings],
];

interface Variant {
  readonly background?: boolean;
  readonly extra?: { readonly dry_run?: boolean };
}

/** What changes how an answer is read, and not what it says. */
const ofReading = ['stream', 'stream_options', 'encoding_format'];

test.each(rows)('%s at %s', async (_, model, path, schema, body) => {
  const { authorization } = await newKey();
  const sentOf = () => {
    const { body: last = {}, headers } = upstream.requests.at(-1) ?? {};
    const decisive = Object.entries(last).filter(([name]) => !ofReading.includes(name));
    return JSON.stringify([decisive, headers?.['anthropic-beta']]);
  };
  /** What was sent for the requests that were not given an answer of another, by their ids. */
  const sent = new Map<string, string>();
  const askFor = async (variant: object, headers = {}) => {
    const answer = await ask(authorization, variant, { path, headers });
    const id = `${answer.headers.get('x-request-id')}`;
    if (answer.cache === 'miss') sent.set(id, sentOf());
    const source = sent.get(`${answer.headers.get('x-gateway-cache-source')}`);
    return { variant, id, source, outcome: answer.status === 200 ? `${answer.cache}` : `${answer.status}` };
  };
  cached.answer({ text: '{"place":"here"}' });
  const whole = { model, ...body };
  expect(await askFor(whole)).toMatchObject({ outcome: 'miss' });
  expect(await askFor(reordered(whole) as object)).toMatchObject({ outcome: 'hit' });
  let compared = 0;
  for (const variant of [...withEachField(requestSchema(schema), whole), ...withEachLeaf(whole)]) {
    const { background, extra: { dry_run: isDry } = {} } = variant as Variant;
    if (background || isDry) continue;
    const { outcome, source } = await askFor(variant as object);
    if (outcome === 'hit' || outcome === 'miss') compared += 1;
    if (outcome !== 'hit') continue;
    await askFor(variant as object, { 'x-gateway-cache': 'false' });
    expect({ variant, sent: sentOf() }).toEqual({ variant, sent: source });
  }
  expect(compared).toBeGreaterThan(40);
});
