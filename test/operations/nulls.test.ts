/**
 * Null is absence, for every optional field of every operation that calls a model: the schemas are searched for such fields, so that
 * a new one is tested too.
 */
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { validate } from '../../lib/http/request/validate.ts';
import { readChat } from '../../lib/operations/chat/read/read.ts';
import { chatSchema } from '../../lib/operations/chat/read/schema.ts';
import { readEmbeddings } from '../../lib/operations/embeddings/read.ts';
import { embeddingsSchema } from '../../lib/operations/embeddings/schema.ts';
import { readImages } from '../../lib/operations/images/read.ts';
import { imagesSchema } from '../../lib/operations/images/schema.ts';
import { readResponses } from '../../lib/operations/responses/read/read.ts';
import { responsesSchema } from '../../lib/operations/responses/read/schema.ts';
import { useGateway } from '../harness/gateways/use-gateway.ts';
import { nestedSchemas, type OptionalField, optionalFields, withNullAt } from '../harness/optional-fields.ts';

const image = { type: 'image_url', image_url: { url: 'https://files.example/a.png' } };
const call = {
  id: 'call_1',
  type: 'function',
  function: { name: 'look_up', arguments: '{}' },
  extra_content: { google: {} },
  provider_specific_fields: {},
  cache_control: { type: 'ephemeral' },
};
const marked = { cache_control: { type: 'ephemeral' } };
const schema = { name: 'answer', schema: { type: 'object' } };

/** Each holds every object that its schema knows at least once. */
const bodies = {
  chat: {
    model: 'openai/gpt-4.1',
    messages: [
      { role: 'system', content: [{ type: 'text', text: 'Be brief.', ...marked }], ...marked },
      { role: 'developer', content: 'Be kind.' },
      { role: 'user', content: [{ type: 'text', text: 'Hi.' }, image] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'One moment.' },
          { type: 'refusal', refusal: 'No.' },
        ],
        tool_calls: [call],
        reasoning_details: [
          { type: 'reasoning.text', text: 'Look it up.' },
          { type: 'reasoning.summary', summary: 'Look.' },
          { type: 'reasoning.encrypted', data: 'AAAA' },
        ],
        extra_content: { google: {} },
        provider_specific_fields: {},
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'Found.' },
    ],
    tools: [{ type: 'function', function: { name: 'look_up' }, ...marked }],
    tool_choice: { type: 'function', function: { name: 'look_up' } },
    response_format: { type: 'json_schema', json_schema: schema },
    stream: true,
    reasoning: {},
    thinking: { type: 'enabled' },
    web_search_options: { user_location: { type: 'approximate', approximate: {} } },
    prompt_cache_options: {},
    moderation: { model: 'omni-moderation-latest' },
    stream_options: {},
    extra: {},
  },
  responses: {
    model: 'openai/gpt-4.1',
    input: [
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'Hi.' },
          { type: 'input_image', image_url: 'https://files.example/a.png' },
          { type: 'input_file', file_url: 'https://files.example/a.pdf' },
        ],
      },
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Look.' }] },
      { role: 'assistant', content: [{ type: 'output_text', text: 'One moment.' }] },
      { type: 'function_call', call_id: 'c', name: 'look_up', arguments: '{}', caller: { type: 'direct' } },
      { type: 'function_call_output', call_id: 'c', output: 'Found.' },
      { type: 'web_search_call', action: { type: 'search', query: 'x' } },
      { type: 'item_reference', id: 'msg_1' },
    ],
    tools: [
      { type: 'function', name: 'look_up' },
      { type: 'function', function: { name: 'find' } },
      { type: 'web_search', user_location: {}, filters: {} },
    ],
    text: { format: { type: 'json_schema', ...schema } },
    reasoning: {},
    prompt_cache_options: {},
    moderation: { model: 'omni-moderation-latest' },
    stream: true,
    stream_options: {},
    extra: {},
  },
  embeddings: { model: 'openai/text-embedding-3-small', input: 'Hi.', extra: {} },
  images: { model: 'openai/gpt-image-2.5-sunburst', prompt: 'A cat.', extra: {} },
} as const;

const read = {
  chat: (body: unknown) => readChat(validate(chatSchema, body)),
  responses: (body: unknown) => readResponses(validate(responsesSchema, body)),
  embeddings: (body: unknown) => readEmbeddings(validate(embeddingsSchema, body)),
  images: (body: unknown) => readImages(validate(imagesSchema, body)),
};

const schemas: Readonly<Record<keyof typeof bodies, z.core.$ZodType>> = {
  chat: chatSchema,
  responses: responsesSchema,
  embeddings: embeddingsSchema,
  images: imagesSchema,
};

const operations = Object.keys(bodies) as (keyof typeof bodies)[];

describe.each(operations)('%s', (operation) => {
  test('every optional field of its schema takes null', () => {
    const refusing = nestedSchemas(schemas[operation]).flatMap(({ name, schema: field }) =>
      z.safeParse(field, null).success ? [] : [name],
    );
    expect(refusing).toEqual([]);
  });

  const body = bodies[operation];
  const fields = optionalFields(schemas[operation], body);

  test('the fields are found', () => {
    const tops = fields.filter(({ path }) => path.length === 1);
    expect(tops.length).toBeGreaterThan(3);
    expect(fields.map(({ path }) => path.join('.'))).toContain('extra.fallbacks');
  });

  test.each(fields.map((field) => [field.path.join('.'), field] as const))(
    '%s: null means the same as leaving it out',
    (_, { path, absent }: OptionalField) => {
      const readOrError = (value: unknown) => {
        try {
          return read[operation](value);
        } catch (error) {
          return error;
        }
      };
      expect(readOrError(withNullAt(body, path))).toEqual(readOrError(absent));
    },
  );
});

describe('through the gateway', () => {
  const gateway = useGateway();
  const required = {
    chat: ['/v1/chat/completions', ['model', 'messages']],
    responses: ['/v1/responses', ['model', 'input']],
    embeddings: ['/v1/embeddings', ['model', 'input']],
    images: ['/v1/images/generations', ['model', 'prompt']],
  } as const;
  const short: Readonly<Record<keyof typeof bodies, object>> = {
    chat: { messages: [{ role: 'user', content: 'Hi.', name: null, cache_control: null }] },
    responses: { input: 'Hi.' },
    embeddings: {},
    images: {},
  };

  test.each(operations)('%s is served with null in all its optional fields', async (operation) => {
    const [path, names] = required[operation];
    const optional = optionalFields(schemas[operation], bodies[operation]).flatMap(
      ({ path: [name], path: { length } }) => (length === 1 && name !== undefined ? [[name, null]] : []),
    );
    const given = Object.fromEntries(
      Object.entries(bodies[operation]).filter(([name]) => (names as readonly string[]).includes(name)),
    );
    const response = await gateway().post(path, {
      ...given,
      ...short[operation],
      ...Object.fromEntries(optional),
    });
    expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
  });
});
