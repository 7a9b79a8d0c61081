/** How what is left of a caller's `native_fields` is merged into an encoded body, and what they mean for families of models. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { readNative } from '../../lib/pipeline/generation/native/read-native.ts';
import { withNativeFields } from '../../lib/pipeline/native-fields.ts';
import { anthropicMessages } from '../../lib/protocols/anthropic-messages/protocol.ts';
import { bedrockConverse } from '../../lib/protocols/bedrock-converse/protocol.ts';
import { googleGenerateContent } from '../../lib/protocols/google-generate-content/protocol.ts';
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
