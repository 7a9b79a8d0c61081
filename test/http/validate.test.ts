/** What the error says for each way in which a request can be wrong: which parameter, and what is expected of it. */
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { GatewayError } from '../../lib/core/errors/errors.ts';
import { validate } from '../../lib/http/request/validate.ts';
import { usageSchema } from '../../lib/metering/usage/question.ts';
import { chatSchema } from '../../lib/operations/chat/read/schema.ts';
import { embeddingsSchema } from '../../lib/operations/embeddings/schema.ts';
import { responsesSchema } from '../../lib/operations/responses/read/schema.ts';

function errorOf(schema: z.core.$ZodType, value: unknown): GatewayError {
  try {
    validate(schema, value);
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
  throw new Error('The request was accepted.');
}

const user = { role: 'user', content: 'hello' };
const chat = (fields: object) => errorOf(chatSchema, { model: 'm', messages: [user], ...fields });
const responses = (fields: object) => errorOf(responsesSchema, { model: 'm', input: 'hello', ...fields });

test('very many wrong values are an error of the request, and no fault of the gateway', () => {
  const { kind, message } = chat({ messages: Array.from({ length: 300_000 }, () => ({})) });
  expect([kind, message.length < 200]).toEqual(['invalid_request', true]);
});

test('top_a, a parameter of other APIs, is not taken for a typing error', () => {
  expect(chat({ top_a: 1 }).message).toBe("Unknown parameter: 'top_a'.");
});

test('messages do not depend on the language that zod was given', () => {
  const before = z.config().localeError;
  z.config({ localeError: () => 'Something else' });
  try {
    expect(chat({ temperature: 'hot' }).message).toContain('expected a number');
    expect(responses({ input: [{ type: 'unknown' }] }).message).toContain('expected one of');
  } finally {
    z.config({ localeError: before });
  }
});

describe('a missing parameter', () => {
  test.each([
    ['model', errorOf(chatSchema, { messages: [user] })],
    ['messages', errorOf(chatSchema, { model: 'm' })],
    ['messages.0.role', chat({ messages: [{ content: 'hello' }] })],
    ['messages.1.content', chat({ messages: [user, { role: 'user' }] })],
    ['messages.0.content.0.image_url.url', chat({ messages: [imageWithoutUrl()] })],
    ['tool_choice.function', chat({ tool_choice: { type: 'function' } })],
    ['input', errorOf(responsesSchema, { model: 'm' })],
    ['tools.0.type', responses({ tools: [{}] })],
  ])('%s', (param, error) => {
    expect(error).toMatchObject({ param, message: `Missing required parameter: '${param}'.`, status: 400 });
  });
});

function imageWithoutUrl() {
  return { role: 'user', content: [{ type: 'image_url', image_url: {} }] };
}

describe('an unknown parameter', () => {
  test.each([
    [chat({ temperatur: 1 }), 'temperatur', 'temperature'],
    [chat({ maxTokens: 1 }), 'maxTokens', 'max_tokens'],
    [chat({ extra: { fallback: [] } }), 'extra.fallback', 'extra.fallbacks'],
    [
      chat({ stream_options: { include_usge: true } }),
      'stream_options.include_usge',
      'stream_options.include_usage',
    ],
    [responses({ reasoning: { efort: 'low' } }), 'reasoning.efort', 'reasoning.effort'],
  ])('close to a known one is answered with that one: %s', (error, param, meant) => {
    expect(error.param).toBe(param);
    expect(error.message).toBe(`Unknown parameter: '${param}'. Did you mean '${meant}'?`);
  });

  test('unlike every known one is answered without a suggestion', () => {
    expect(chat({ colour: 1 }).message).toBe("Unknown parameter: 'colour'.");
    expect(chat({ k: 1 }).message).toBe("Unknown parameter: 'k'.");
  });

  test('of any length is cut, and takes no time', () => {
    const started = process.cpuUsage();
    const name = 'x'.repeat(5_000_000);
    expect(chat({ [name]: 1 }).message).toBe(`Unknown parameter: '${'x'.repeat(64)}'.`);
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(5_000);
  });
});

describe('a value of the wrong type', () => {
  test.each([
    [chat({ temperature: 'x' }), "'temperature': expected a number, but got a string"],
    [chat({ n: 1.5 }), "'n': expected an integer, but got a decimal number"],
    [chat({ stream: 1 }), "'stream': expected a boolean, but got a number"],
    [chat({ messages: {} }), "'messages': expected an array, but got an object"],
    [chat({ messages: [null] }), "'messages.0': expected an object, but got null"],
    [chat({ tools: [[]] }), "'tools.0': expected an object, but got an array"],
    [chat({ metadata: { a: true } }), "'metadata.a': expected a string, but got a boolean"],
    [chat({ stop: 5 }), "'stop': expected a string or an array, but got a number"],
    [
      chat({ tool_choice: 5 }),
      "'tool_choice': expected one of 'none', 'auto', 'required', or an object, but got a number",
    ],
    [
      chat({ response_format: { type: 5 } }),
      "'response_format.type': expected one of 'text', 'json_object', 'json_schema', but got a number",
    ],
  ])('%s', (error, message) => {
    expect(error.message).toBe(`Invalid type for ${message} instead.`);
  });
});

describe('a value that is not allowed', () => {
  test.each([
    [
      chat({ service_tier: 'x' }),
      "Invalid value for 'service_tier': expected one of 'auto', 'default', 'flex', 'scale', 'priority', 'fast', 'standard'.",
    ],
    [
      chat({ tool_choice: { type: 'x' } }),
      "Invalid value for 'tool_choice.type': expected one of 'function', 'custom', 'allowed_tools'.",
    ],
    [
      chat({ tool_choice: 'x' }),
      "Invalid value for 'tool_choice': expected one of 'none', 'auto', 'required', or an object.",
    ],
    [
      chat({ messages: [{ role: 'usr', content: 'x' }] }),
      "Invalid value for 'messages.0.role': expected one of 'system', 'developer', 'user', 'assistant', 'tool'.",
    ],
    [chat({ temperature: 3 }), "'temperature' must be between 0 and 2."],
    [chat({ n: 0 }), "'n' must be between 1 and 128."],
    [chat({ max_tokens: 0 }), "'max_tokens' must be at least 1."],
    [chat({ stop: ['a', 'b', 'c', 'd', 'e'] }), "'stop' must have at most 4 elements."],
    [chat({ messages: [] }), "'messages' must not be empty."],
    [chat({ model: '' }), "'model' must not be empty."],
    [
      chat({ metadata: { ['k'.repeat(65)]: 'v' } }),
      "Invalid key in 'metadata': a key must have at most 64 characters.",
    ],
    [chat({ functions: [] }), "'functions' is not supported: use 'tools' instead."],
    [
      errorOf(embeddingsSchema, { model: 'm', input: [[1]] }),
      "'input.0' must be a string: token ids are not supported.",
    ],
    [errorOf(usageSchema, { limit: 'x' }), "'limit' must be an integer between 1 and 1000."],
    [errorOf(chatSchema, []), 'The request must be a JSON object.'],
  ])('%s', (error, message) => {
    expect(error.message).toBe(message);
  });

  test('is never repeated', () => {
    const secret = 'the-quick-brown-fox';
    expect(chat({ model: { secret } }).message).not.toContain(secret);
    expect(chat({ tool_choice: secret }).message).not.toContain(secret);
    expect(chat({ messages: [{ role: secret }] }).message).not.toContain(secret);
  });
});

test('an object with a length of its own is no list, and no failure of the gateway', () => {
  const schema = z.object({ input: z.array(z.string()).check(z.maxLength(4)) });
  const input = JSON.parse('{"0":"a","length":{"toString":[]}}');
  expect(() => validate(schema, { input })).toThrow(GatewayError);
});
