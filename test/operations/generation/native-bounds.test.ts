/** Fields of providers' own protocols, and whether a bound of the request still holds with them. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { GenerationProtocol } from '../../../lib/core/generation/protocol.ts';
import type { JsonObject } from '../../../lib/core/generation/request.ts';
import { nativeBounds } from '../../../lib/operations/generation/native-bounds.ts';
import { withNativeFields } from '../../../lib/pipeline/native-fields.ts';
import { anthropicMessages } from '../../../lib/protocols/anthropic-messages/protocol.ts';
import { bedrockConverse } from '../../../lib/protocols/bedrock-converse/protocol.ts';
import { cohereChat } from '../../../lib/protocols/cohere-chat/protocol.ts';
import { googleGenerateContent } from '../../../lib/protocols/google-generate-content/protocol.ts';
import { openaiChat } from '../../../lib/protocols/openai-chat/protocol.ts';
import { createOpenaiResponses } from '../../../lib/protocols/openai-responses/protocol.ts';
import { testRequest, testTarget } from '../../harness/matrix/model.ts';

interface Fields {
  readonly protocol: GenerationProtocol;
  /** With these the bound holds. */
  readonly harmless: readonly string[];
  /** With these an answer may be as long as the model writes. */
  readonly length: readonly string[];
  /** With these the prompt may be kept longer, at another price. */
  readonly kept?: readonly string[];
  /** With these there is no bound. */
  readonly endless: readonly string[];
}

/** The fields of each protocol that callers may set, as the providers document them. `.` is the way into an object. */
const rows: Readonly<Record<string, Fields>> = {
  'OpenAI chat and its hosts': {
    protocol: openaiChat,
    harmless: [
      ...['temperature', 'top_p', 'top_k', 'min_p', 'frequency_penalty', 'presence_penalty', 'seed', 'stop'],
      ...['logit_bias', 'logprobs', 'top_logprobs', 'response_format', 'verbosity', 'user', 'metadata'],
      ...['tool_choice', 'parallel_tool_calls', 'reasoning_effort', 'safety_identifier', 'prompt_cache_key'],
      ...[
        'repetition_penalty',
        'reasoning.effort',
        'reasoning.exclude',
        'include_reasoning',
        'enable_thinking',
      ],
      ...['thinking.type', 'chat_template_kwargs', 'usage.include', 'reasoning_format', 'safe_prompt'],
    ],
    length: [
      ...['max_tokens', 'max_completion_tokens', 'min_tokens', 'reasoning.max_tokens', 'thinking_budget'],
      ...['thinking.budget_tokens'],
    ],
    kept: ['prompt_cache_retention', 'cache_control'],
    endless: [
      ...['service_tier', 'tools', 'functions', 'web_search_options', 'search_parameters', 'plugins'],
      ...['provider', 'best_of', 'modalities', 'audio', 'prediction', 'max_tool_calls', 'num_choices'],
      ...['search_context_size', 'return_images', 'web_search', 'enable_search', 'documents', 'files'],
    ],
  },
  'OpenAI Responses': {
    protocol: createOpenaiResponses({ reasoningFormat: 'openai-responses-v1' }),
    harmless: [
      'text.format',
      'text.verbosity',
      'reasoning.effort',
      'reasoning.summary',
      'truncation',
      'include',
    ],
    length: ['max_output_tokens'],
    kept: ['prompt_cache_retention'],
    endless: ['tools', 'prompt', 'service_tier', 'max_tool_calls', 'instructions', 'context_management'],
  },
  'Anthropic Messages': {
    protocol: anthropicMessages,
    harmless: [
      ...['temperature', 'top_p', 'top_k', 'stop_sequences', 'metadata', 'tool_choice', 'thinking.type'],
      ...['thinking.display', 'output_config.effort', 'output_config.format'],
    ],
    length: ['max_tokens', 'thinking.budget_tokens', 'output_config.task_budget'],
    kept: ['cache_control'],
    endless: [
      ...[
        'tools',
        'mcp_servers',
        'container',
        'speed',
        'inference_geo',
        'service_tier',
        'context_management',
      ],
      ...['system', 'betas'],
    ],
  },
  'Bedrock Converse': {
    protocol: bedrockConverse,
    harmless: [
      ...['inferenceConfig.temperature', 'inferenceConfig.topP', 'inferenceConfig.stopSequences'],
      ...['requestMetadata', 'additionalModelResponseFieldPaths', 'outputConfig.textFormat'],
      ...['additionalModelRequestFields.top_k', 'additionalModelRequestFields.thinking.type'],
      ...['additionalModelRequestFields.reasoningConfig.maxReasoningEffort'],
    ],
    length: [
      ...['inferenceConfig.maxTokens', 'additionalModelRequestFields.max_tokens'],
      ...['additionalModelRequestFields.thinking.budget_tokens', 'additionalModelRequestFields.max_gen_len'],
    ],
    endless: [
      ...['toolConfig', 'serviceTier', 'performanceConfig', 'guardrailConfig', 'promptVariables', 'system'],
      ...['additionalModelRequestFields.anthropic_beta', 'additionalModelRequestFields.tools'],
    ],
  },
  Gemini: {
    protocol: googleGenerateContent,
    harmless: [
      ...[
        'safetySettings',
        'labels',
        'temperature',
        'generationConfig.topK',
        'thinkingConfig.includeThoughts',
      ],
      ...[
        'generationConfig.thinkingConfig.thinkingLevel',
        'mediaResolution',
        'responseSchema',
        'audioTimestamp',
      ],
    ],
    length: [
      ...['maxOutputTokens', 'generationConfig.maxOutputTokens', 'thinkingConfig.thinkingBudget'],
      ...['generationConfig.thinkingConfig.thinkingBudget'],
    ],
    endless: [
      ...['tools', 'toolConfig', 'cachedContent', 'serviceTier', 'systemInstruction', 'routingConfig'],
      ...['generationConfig.routingConfig', 'modelSelectionConfig', 'responseModalities', 'speechConfig'],
      ...['imageConfig', 'generationConfig.responseModalities', 'enableEnhancedCivicAnswers'],
    ],
  },
  Cohere: {
    protocol: cohereChat,
    harmless: ['k', 'p', 'citation_options', 'safety_mode', 'strict_tools', 'thinking.type', 'raw_prompting'],
    length: ['max_tokens', 'thinking.token_budget'],
    endless: ['tools', 'documents', 'priority'],
  },
};

const at = (path: string, value: unknown): JsonObject =>
  path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as JsonObject;

const none = { hasOwnLength: false, keptLonger: false, endless: false };

describe.each(Object.entries(rows))('%s', (_, { protocol, harmless, length, kept = [], endless }) => {
  const kinds = [
    [harmless, none],
    [length, { ...none, hasOwnLength: true }],
    [kept, { ...none, keptLonger: true }],
    [endless, { ...none, endless: true }],
  ] as const;

  test.each(kinds.flatMap(([paths, bounds]) => paths.map((path) => [path, bounds] as const)))(
    '%s',
    (path, bounds) => {
      for (const value of [1, 'some', true, [{}], { a: { b: 1 } }]) {
        if (harmless.includes(path) || !isContainer(path))
          expect(nativeBounds(at(path, value))).toEqual(bounds);
      }
    },
  );

  const spelled = fc.constantFrom(
    (name: string) => name,
    (name: string) => name.toUpperCase(),
    (name: string) => name.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase(),
    (name: string) => name.replace(/_([a-z])/g, (__, letter: string) => letter.toUpperCase()),
    (name: string) => name.replaceAll('_', '-'),
  );

  test('a field counts in every spelling, and among any others', () => {
    const dear = [...length, ...kept, ...endless];
    fc.assert(
      fc.property(fc.constantFrom(...dear), spelled, fc.subarray([...harmless]), (path, spell, others) => {
        const fields = Object.assign({}, ...others.map((other) => at(other, 1)));
        const own = at(path.split('.').map(spell).join('.'), 1);
        expect(nativeBounds({ ...fields, ...own })).not.toEqual(none);
      }),
    );
  });

  test('harmless fields leave what is paid for as the gateway wrote it', () => {
    const request = testRequest({ max_completion_tokens: 100 });
    const paid = (body: JsonObject) => JSON.stringify(paidFor(body));
    const plain = paid(protocol.encode(request, testTarget()));
    fc.assert(
      fc.property(fc.subarray([...harmless], { minLength: 1 }), spelled, fc.json(), (paths, spell, json) => {
        const fields = Object.assign(
          {},
          ...paths.map((path) => at(path.split('.').map(spell).join('.'), JSON.parse(json))),
        );
        const encoded = withNativeFields(protocol, fields).encode(request, testTarget());
        expect(nativeBounds(fields)).toEqual(none);
        expect(paid(encoded)).toBe(plain);
      }),
    );
  });
});

const isContainer = (path: string): boolean => /^(?:thinking|reasoning|text|options)$/.test(path);

/** What the gateway itself writes of length, number, tools and tier, wherever it is in the body. */
function paidFor(body: JsonObject): JsonObject {
  const { generationConfig, inferenceConfig, ...top } = body as Record<string, JsonObject>;
  const names = /^(?:model|messages|input|contents|max\w*|n|candidateCount|tools|toolConfig|service_?tier)$/i;
  const entries = [top, generationConfig ?? {}, inferenceConfig ?? {}].flatMap(Object.entries);
  return Object.fromEntries(entries.filter(([name]) => names.test(name)));
}

test('a field that the gateway does not know has no bound', () => {
  const name = fc.string({ minLength: 1 }).filter((text) => /^[a-z]+$/.test(text) && text.length > 2);
  fc.assert(
    fc.property(name, fc.json(), (field, json) => {
      expect(nativeBounds({ [`new_${field}`]: JSON.parse(json) })).toEqual({ ...none, endless: true });
    }),
  );
  expect(nativeBounds({})).toEqual(none);
  expect(nativeBounds()).toEqual(none);
});

test('objects that are nested deeper than in any protocol have no bound', () => {
  const deep = at(Array(30).fill('thinking').join('.'), { temperature: 1 });
  expect(nativeBounds(deep)).toEqual({ ...none, endless: true });
});
