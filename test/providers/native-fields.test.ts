/** Provider-specific fields of a caller: where they are sent, and which fields they override. */
import { describe, expect, test } from 'vitest';
import type { GenerationParameters, JsonObject } from '../../lib/core/generation/request.ts';
import type { ReasoningTraits } from '../../lib/core/model.ts';
import { normalize } from '../../lib/normalization/normalize.ts';
import { withNativeFields } from '../../lib/pipeline/native-fields.ts';
import { anthropicMessages } from '../../lib/protocols/anthropic-messages/protocol.ts';
import { bedrockConverse } from '../../lib/protocols/bedrock-converse/protocol.ts';
import { googleGenerateContent } from '../../lib/protocols/google-generate-content/protocol.ts';
import { google } from '../../lib/providers/google/provider.ts';
import { testRequest, testTarget } from '../harness/matrix/model.ts';
import { newRequest, newTarget, user } from '../protocols/requests.ts';

const budget: ReasoningTraits = {
  style: 'budget',
  efforts: ['none', 'low', 'medium', 'high'],
  defaultEffort: 'medium',
  budget: { min: 512, max: 24_576 },
};

describe('in the Gemini protocol', () => {
  const encode = (fields: JsonObject, parameters: GenerationParameters = {}) =>
    withNativeFields(googleGenerateContent, fields).encode(
      newRequest([user('Hi')], parameters),
      newTarget({ reasoning: budget }),
    );

  test.each([
    [{ thinking_config: { thinking_budget: 0 } }],
    [{ thinkingConfig: { thinkingBudget: 0 } }],
    [{ generation_config: { thinking_config: { thinking_budget: 0 } } }],
    [{ generationConfig: { thinkingConfig: { thinkingBudget: 0 } } }],
  ])('%j is how hard to think, and nothing else', (fields) => {
    expect(encode(fields, { temperature: 0.5 }).generationConfig).toEqual({
      temperature: 0.5,
      thinkingConfig: { thinkingBudget: 0 },
    });
  });

  test('settings of the generation stand among them, everything else beside', () => {
    const body = encode({
      top_k: 5,
      media_resolution: 'MEDIA_RESOLUTION_LOW',
      safety_settings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' }],
      labels: { my_team: 'blue_one' },
      somethingNew: 1,
    });
    expect(body).toMatchObject({
      generationConfig: {
        topK: 5,
        mediaResolution: 'MEDIA_RESOLUTION_LOW',
        thinkingConfig: { includeThoughts: true },
      },
      safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' }],
      labels: { my_team: 'blue_one' },
      somethingNew: 1,
    });
    expect(Object.keys(body)).not.toContain('topK');
  });

  test('names inside of a schema stay as they are', () => {
    const schema = { type: 'object', properties: { first_name: { type: 'string' } } };
    const body = encode({ response_mime_type: 'application/json', response_json_schema: schema });
    expect(body.generationConfig).toMatchObject({ responseJsonSchema: schema });
  });

  test.each([
    { thinking_config: { thinking_budget: 0 } },
    { generationConfig: { thinkingConfig: { thinkingLevel: 'LOW' } } },
  ])('a thinking configuration counts more than the effort, on record: %j', (nativeFields) => {
    const request = testRequest({ reasoning_effort: 'high' }, { nativeFields });
    const target = testTarget({ traits: { reasoning: budget, refuses: [], refusesWhileReasoning: [] } });
    const { request: normalized, changes } = normalize(request, target, google.generation.rules);
    expect(normalized.parameters).toEqual({});
    expect(changes).toEqual([
      {
        param: 'reasoning_effort',
        action: 'strip',
        before: 'high',
        after: null,
        reason: 'native_fields.thinking_config overrides this parameter.',
      },
    ]);
  });

  test('any other field leaves the effort alone', () => {
    const request = testRequest({ reasoning_effort: 'high' }, { nativeFields: { top_k: 5 } });
    const target = testTarget({ traits: { reasoning: budget, refuses: [], refusesWhileReasoning: [] } });
    expect(normalize(request, target, google.generation.rules)).toMatchObject({
      request: { parameters: { reasoning_effort: 'high' } },
      changes: [],
    });
  });
});

describe('in other protocols', () => {
  test('they stand at the top, and objects are merged', () => {
    const protocol = withNativeFields(bedrockConverse, {
      additionalModelRequestFields: { top_k: 5 },
      inferenceConfig: { temperature: 0.2 },
      performanceConfig: { latency: 'optimized' },
    });
    const parameters: GenerationParameters = { seed: 7, temperature: 0.9, top_p: 0.5 };
    expect(protocol.encode(newRequest([user('Hi')], parameters), newTarget())).toMatchObject({
      additionalModelRequestFields: { seed: 7, top_k: 5 },
      inferenceConfig: { temperature: 0.2, topP: 0.5 },
      performanceConfig: { latency: 'optimized' },
    });
  });

  test('an object of another type takes the place of ours', () => {
    const protocol = withNativeFields(anthropicMessages, { thinking: { type: 'disabled' }, top_k: 5 });
    const body = protocol.encode(
      newRequest([user('Hi')], { reasoning_effort: 'high' }),
      newTarget({ reasoning: budget }),
    );
    expect(body).toMatchObject({ thinking: { type: 'disabled' }, top_k: 5 });
    expect(body.thinking).toEqual({ type: 'disabled' });
  });

  test('none leave the protocol unchanged', () => {
    expect(withNativeFields(anthropicMessages, undefined)).toBe(anthropicMessages);
  });
});
