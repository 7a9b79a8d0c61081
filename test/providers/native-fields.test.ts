/** How what is left of a caller's `native_fields` is merged into an encoded body, and what they mean for families of models. */
import { describe, expect, test } from 'vitest';
import type { NativeFields } from '../../lib/core/generation/original/native-fields.ts';
import type { GenerationParameters, JsonObject } from '../../lib/core/generation/request.ts';
import { readNative } from '../../lib/pipeline/generation/native/read-native.ts';
import { withNativeFields } from '../../lib/pipeline/native-fields.ts';
import { anthropicMessages } from '../../lib/protocols/anthropic-messages/protocol.ts';
import { bedrockConverse } from '../../lib/protocols/bedrock-converse/protocol.ts';
import { cohereFields } from '../../lib/protocols/cohere-chat/native-fields.ts';
import { geminiFields } from '../../lib/protocols/google-generate-content/native-fields.ts';
import { googleGenerateContent } from '../../lib/protocols/google-generate-content/protocol.ts';
import { chatFields } from '../../lib/protocols/openai-chat/native-fields.ts';
import { responsesFields } from '../../lib/protocols/openai-responses/native-fields.ts';
import { operatorProvider } from '../../lib/providers/hosts/operator-hosts.ts';
import { testRequest, testTarget } from '../harness/matrix/model.ts';
import { newRequest, newTarget, user } from '../protocols/requests.ts';

describe('merging', () => {
  test('an object is merged, and one of another type takes the place of ours', () => {
    const protocol = withNativeFields(anthropicMessages, {
      metadata: { user_id: 'b' },
      thinking: { type: 'adaptive' },
    });
    const body = protocol.encode(newRequest([user('Hi')], { metadata: { team: 'blue' } }), newTarget());
    expect(body).toMatchObject({ metadata: { team: 'blue', user_id: 'b' }, thinking: { type: 'adaptive' } });
  });

  test('settings of a generation stand among those of Gemini, everything else beside', () => {
    const protocol = withNativeFields(googleGenerateContent, { topK: 5, labels: { a: 'b' } });
    const body = protocol.encode(newRequest([user('Hi')], { temperature: 0.5 }), newTarget());
    expect(body).toMatchObject({ generationConfig: { topK: 5, temperature: 0.5 }, labels: { a: 'b' } });
    expect(body).not.toHaveProperty('topK');
  });

  test('none leave the protocol unchanged', () => {
    expect(withNativeFields(anthropicMessages, undefined)).toBe(anthropicMessages);
  });
});

/** The fields of one family of models on Bedrock. */
function onBedrock(owner: string, additionalModelRequestFields: JsonObject, effort?: 'high') {
  const target = testTarget({ owner });
  const request = testRequest(effort ? { reasoning_effort: effort } : {}, {
    nativeFields: { additionalModelRequestFields },
  });
  const fields = bedrockConverse.nativeFields(target);
  return readNative(request, { fields, protocol: 'bedrock-converse', isPrimary: true }).request;
}

describe('on Bedrock', () => {
  test.each<[string, JsonObject, object]>([
    ['anthropic', { thinking: { type: 'enabled', budget_tokens: 2_000 } }, { reasoning_max_tokens: 2_000 }],
    ['anthropic', { thinking: { type: 'disabled' } }, { reasoning_effort: 'none' }],
    ['anthropic', { output_config: { effort: 'low' } }, { reasoning_effort: 'low' }],
    [
      'amazon',
      { reasoningConfig: { type: 'enabled', maxReasoningEffort: 'low' } },
      { reasoning_effort: 'low' },
    ],
    ['amazon', { reasoning_config: { type: 'disabled' } }, { reasoning_effort: 'none' }],
    ['openai', { reasoning_effort: 'low' }, { reasoning_effort: 'low' }],
  ])('the fields of %s %j are parameters, and take the place of others', (owner, fields, parameters) => {
    expect(onBedrock(owner, fields, 'high').parameters).toEqual(parameters);
  });

  test.each<[string, JsonObject]>([
    ['anthropic', { top_k: 5 }],
    ['amazon', { inferenceConfig: { topK: 5 } }],
    ['cohere', { k: 5, p: 0.5 }],
    ['mistral', { top_k: 5 }],
  ])('the fields of %s %j are sent as they are', (owner, fields) => {
    expect(onBedrock(owner, fields).nativeFields).toEqual({ additionalModelRequestFields: fields });
  });

  test.each<[string, JsonObject]>([
    ['anthropic', { max_tokens: 5 }],
    ['anthropic', { reasoningConfig: { type: 'enabled' } }],
    ['amazon', { inferenceConfig: { maxTokens: 5 } }],
    ['meta', { max_gen_len: 5 }],
    ['cohere', { documents: [] }],
  ])('%s does not take %j', (owner, fields) => {
    expect(() => onBedrock(owner, fields)).toThrow(/is not supported in the protocol/);
  });
});

describe('the fields of a protocol that decide what an answer costs', () => {
  const claude = anthropicMessages.nativeFields(testTarget());
  const bedrock = bedrockConverse.nativeFields(testTarget());
  const chat = chatFields({
    names: { max_completion_tokens: 'max_output', seed: 'random_seed', stop: 'stop' },
  });

  test.each<[string, NativeFields, JsonObject, GenerationParameters, GenerationParameters, JsonObject?]>([
    [
      'Claude',
      claude,
      { max_tokens: 5, stop_sequences: ['a'] },
      { stop: ['b'] },
      { max_completion_tokens: 5 },
      { stop_sequences: ['a'] },
    ],
    ['Claude', claude, { service_tier: 'standard_only' }, {}, { service_tier: 'default' }],
    ['Claude', claude, { service_tier: 'AUTO' }, {}, { service_tier: 'auto' }],
    ['Claude', claude, { metadata: { user_id: 'a' } }, { user: 'b' }, {}, { metadata: { user_id: 'a' } }],
    [
      'Claude',
      claude,
      { thinking: { type: 'adaptive' } },
      { reasoning_effort: 'none' },
      {},
      { thinking: { type: 'adaptive' } },
    ],
    [
      'Claude',
      claude,
      { thinking: { type: 'adaptive' } },
      { reasoning_effort: 'low' },
      { reasoning_effort: 'low' },
      { thinking: { type: 'adaptive' } },
    ],
    [
      'Claude',
      claude,
      { thinking: { budget_tokens: 2000, display: 'omitted' } },
      { reasoning_effort: 'low' },
      { reasoning_max_tokens: 2000 },
      { thinking: { display: 'omitted' } },
    ],
    [
      'Claude',
      claude,
      { thinking: { budget_tokens: 2000, display: 'full' } },
      {},
      { reasoning_max_tokens: 2000 },
    ],
    [
      'Claude',
      claude,
      { output_config: { effort: 'low', format: {} } },
      {},
      { reasoning_effort: 'low' },
      { output_config: { format: {} } },
    ],
    [
      'chat',
      chat,
      { max_output: 5, random_seed: 7 },
      { seed: 1 },
      { max_completion_tokens: 5 },
      { random_seed: 7 },
    ],
    [
      'Bedrock',
      bedrock,
      { inferenceConfig: { maxTokens: 5, topP: 0.5 }, serviceTier: { type: 'flex' } },
      { top_p: 1 },
      { max_completion_tokens: 5, service_tier: 'flex' },
      { inferenceConfig: { topP: 0.5 } },
    ],
    [
      'Bedrock',
      bedrock,
      { outputConfig: { a: 1 }, requestMetadata: { b: 2 } },
      { response_format: { type: 'json_object' }, metadata: { c: '3' } },
      {},
      { outputConfig: { a: 1 }, requestMetadata: { b: 2 } },
    ],
    ['chat', chat, { max_tokens: 5 }, { max_completion_tokens: 9 }, { max_tokens: 5 }],
    ['chat', chat, { reasoning_effort: 'low' }, {}, { reasoning_effort: 'low' }],
    [
      'chat',
      chat,
      { reasoning_effort: 'extreme' },
      { reasoning_effort: 'low' },
      {},
      { reasoning_effort: 'extreme' },
    ],
    ['chat', chat, { service_tier: 'standard' }, {}, { service_tier: 'default' }],
    [
      'chat',
      chat,
      { top_k: 5, temperature: 1, stop: 'a' },
      { top_k: 1, temperature: 0 },
      {},
      { top_k: 5, temperature: 1, stop: 'a' },
    ],
    [
      'Cohere',
      cohereFields,
      { thinking: { type: 'disabled', token_budget: 5 } },
      { reasoning_effort: 'low' },
      { reasoning_effort: 'none' },
    ],
    [
      'Cohere',
      cohereFields,
      { thinking: { type: 'enabled' } },
      { reasoning_effort: 'low' },
      {},
      { thinking: { type: 'enabled' } },
    ],
    [
      'Cohere',
      cohereFields,
      { thinking: { token_budget: 5 } },
      { reasoning_effort: 'low' },
      { reasoning_max_tokens: 5 },
    ],
    [
      'Cohere',
      cohereFields,
      { max_tokens: 5, p: 0.5 },
      { top_p: 1 },
      { max_completion_tokens: 5 },
      { p: 0.5 },
    ],
    [
      'Gemini',
      geminiFields,
      { maxOutputTokens: 5, topK: 5 },
      { top_k: 1 },
      { max_completion_tokens: 5 },
      { topK: 5 },
    ],
    ['Gemini', geminiFields, { generationConfig: { maxOutputTokens: 5 } }, {}, { max_completion_tokens: 5 }],
    [
      'Gemini',
      geminiFields,
      { thinkingConfig: { thinkingBudget: 0, includeThoughts: true } },
      { reasoning_effort: 'low' },
      { reasoning_max_tokens: 0 },
      { thinkingConfig: { includeThoughts: true } },
    ],
    [
      'Gemini',
      geminiFields,
      { thinkingConfig: { thinkingBudget: 2000 } },
      { reasoning_effort: 'low' },
      { reasoning_max_tokens: 2000 },
    ],
    [
      'Gemini',
      geminiFields,
      { thinkingConfig: { thinkingBudget: -1 } },
      { reasoning_effort: 'low' },
      {},
      { thinkingConfig: { thinkingBudget: -1 } },
    ],
    ['Gemini', geminiFields, { thinkingConfig: { thinkingLevel: 'LOW' } }, {}, { reasoning_effort: 'low' }],
    [
      'Gemini',
      geminiFields,
      { thinkingConfig: { includeThoughts: false } },
      {},
      {},
      { thinkingConfig: { includeThoughts: false } },
    ],
    [
      'Responses',
      responsesFields,
      { max_output_tokens: 5, text: { verbosity: 'low' } },
      {},
      { max_completion_tokens: 5, verbosity: 'low' },
    ],
    [
      'Responses',
      responsesFields,
      { reasoning: { effort: 'low', generate_summary: 'auto', context: 'all_turns' } },
      {},
      { reasoning_effort: 'low', reasoning_summary: 'auto', reasoning_context: 'all_turns' },
    ],
  ])('%s (%#)', (protocol, fields, nativeFields, given, expected, left) => {
    const { request } = readNative(testRequest(given, { nativeFields }), {
      fields,
      protocol,
      isPrimary: true,
    });
    expect(request.parameters).toStrictEqual(expected);
    expect(request.nativeFields).toStrictEqual(left);
  });
});

describe('the fields of a chat host', () => {
  test('that have a common name are the common ones', () => {
    const own = {
      style: { type: 'text' },
      max_tokens: { type: 'json' },
      serviceTier: { type: 'json' },
    } as const;
    const fields = chatFields({ nativeFields: own });
    expect(fields.style).toBe(own.style);
    expect(fields).not.toHaveProperty('serviceTier');
    expect(fields.max_tokens).toBe(chatFields({}).max_tokens);
  });

  test('have the host’s names only where these are its own', () => {
    const names = { seed: 'random_seed', max_completion_tokens: 'max_tokens', user: 'end_user' };
    const fields = chatFields({ names });
    expect(fields.random_seed).toBe(fields.seed);
    expect(fields.end_user).toBe(fields.user);
    expect(fields.max_tokens).toBe(chatFields({}).max_tokens);
  });
});

test('a marker of the whole request on Claude is one on its last message', () => {
  const list = { fields: anthropicMessages.nativeFields(testTarget()), protocol: 'p', isPrimary: true };
  const nativeFields = { cache_control: { type: 'ephemeral', ttl: '1h' } };
  const { request } = readNative(testRequest({}, { nativeFields }), list);
  expect(request.messages.at(-1)?.cacheControl).toEqual({ type: 'ephemeral', ttl: '1h' });
  expect(request).not.toHaveProperty('nativeFields');
});

test('a name that an operator adds to a host cannot take a limit of output out of the reservation', () => {
  const row = {
    name: 'own',
    baseUrl: 'http://127.0.0.1:1/v1',
    nativeFields: ['max_tokens', 'serviceTier', 'style'],
  };
  const fields = operatorProvider(row).generation?.protocol.nativeFields(testTarget()) ?? {};
  const list = { fields, protocol: 'openai-chat', isPrimary: true };
  const nativeFields = { max_tokens: 9, service_tier: 'flex', style: 'x' };
  expect(readNative(testRequest({}, { nativeFields }), list).request).toMatchObject({
    parameters: { max_tokens: 9, service_tier: 'flex' },
    nativeFields: { style: 'x' },
  });
});
