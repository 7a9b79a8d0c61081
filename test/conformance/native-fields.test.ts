/** `native_fields` through the local gateway: which fields of a provider's protocol callers may give, and what becomes of them. */
import { describe, expect, test } from 'vitest';
import { maxNativeBytes, maxNativeDepth, maxNativeValues } from '../../lib/operations/native-fields.ts';
import { readNative } from '../../lib/pipeline/generation/native/read-native.ts';
import { anthropicMessages } from '../../lib/protocols/anthropic-messages/protocol.ts';
import { bedrockConverse } from '../../lib/protocols/bedrock-converse/protocol.ts';
import { cohereChat } from '../../lib/protocols/cohere-chat/protocol.ts';
import { googleGenerateContent } from '../../lib/protocols/google-generate-content/protocol.ts';
import { responsesFields } from '../../lib/protocols/openai-responses/native-fields.ts';
import { useProtocolGateway } from '../harness/gateways/protocol-gateway.ts';
import { testRequest, testTarget } from '../harness/matrix/model.ts';
import { hello, type ProtocolScript } from '../harness/protocol-scripts.ts';
import { anthropicScript } from '../harness/protocols/anthropic.ts';
import { bedrockScript } from '../harness/protocols/bedrock.ts';
import { cohereScript } from '../harness/protocols/cohere.ts';
import { googleScript } from '../harness/protocols/google.ts';
import { openaiScript } from '../harness/protocols/openai.ts';
import { openaiResponsesScript } from '../harness/protocols/openai-responses.ts';
import { answerJson } from '../harness/upstream.ts';

const protocols = useProtocolGateway();

interface Asked {
  readonly status: number;
  readonly param: string | undefined;
  readonly message: string;
  readonly sent: Readonly<Record<string, unknown>> | undefined;
  readonly records: readonly { readonly param: string; readonly action: string; readonly reason: string }[];
}

async function ask(script: ProtocolScript, native_fields: unknown, more: object = {}): Promise<Asked> {
  const { upstream, gateway } = protocols;
  upstream.script(answerJson(script.body(hello)));
  const isResponses = script === openaiResponsesScript;
  const question = isResponses ? { input: 'Hello.' } : { messages: [{ role: 'user', content: 'Hello.' }] };
  const response = await gateway.post(isResponses ? '/v1/responses' : '/v1/chat/completions', {
    model: script.model,
    ...question,
    native_fields,
    extra: { debug: ['normalizations'] },
    ...more,
  });
  const body = (await response.json()) as {
    error?: { param: string; message: string };
    debug?: { normalizations: Asked['records'] };
  };
  return {
    status: response.status,
    param: body.error?.param,
    message: body.error?.message ?? '',
    sent: upstream.requests[0]?.body,
    records: body.debug?.normalizations ?? [],
  };
}

const reasoner = { model: 'openai/gpt-5.4' };

const schema = { type: 'object', properties: { first_name: { type: 'string' } } };
const safety = [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' }];

type Row = readonly [fields: object, expected: object, more?: object];

const named = (rows: readonly Row[]) =>
  rows.map(([fields, expected, more = {}]) => ({ fields, expected, more }));

/** What reaches the provider of fields that may be given. */
const taken: readonly (readonly [string, ProtocolScript, readonly Row[]])[] = [
  [
    'OpenAI chat',
    openaiScript,
    [
      [
        { temperature: 0.5, seed: 7 },
        { temperature: 0.5, seed: 7 },
      ],
      [{ Top_P: 0.5 }, { top_p: 0.5 }],
      [{ logit_bias: { 50256: -100 } }, { logit_bias: { 50256: -100 } }],
      [{ prompt_cache_key: 'mine' }, { prompt_cache_key: 'mine' }],
      [{ maxCompletionTokens: 100 }, { max_completion_tokens: 100 }],
      [{ service_tier: 'flex' }, { service_tier: 'flex' }, reasoner],
      [{ top_k: null }, {}],
    ],
  ],
  [
    'OpenAI Responses',
    openaiResponsesScript,
    [
      [{ truncation: 'auto' }, { truncation: 'auto' }],
      [{ MAX_OUTPUT_TOKENS: 100 }, { max_output_tokens: 100 }],
      [{ max_tool_calls: 2 }, { max_tool_calls: 2 }],
      [{ text: { verbosity: 'low' } }, { text: { verbosity: 'low' } }, reasoner],
      [
        { reasoning: { effort: 'low', generateSummary: 'detailed' } },
        { reasoning: { effort: 'low', summary: 'detailed' } },
        reasoner,
      ],
      [{ reasoning: { mode: 'pro' } }, { reasoning: { mode: 'pro' } }, reasoner],
      [{ prompt_cache_retention: '24h' }, { prompt_cache_retention: '24h' }],
    ],
  ],
  [
    'Anthropic Messages',
    anthropicScript,
    [
      [{ top_k: 5 }, { top_k: 5 }],
      [{ stop_sequences: ['.'] }, { stop_sequences: ['.'] }],
      [{ metadata: { user_id: 'u' } }, { metadata: { user_id: 'u' } }],
      [{ max_tokens: 100 }, { max_tokens: 100 }],
      [{ thinking: { type: 'disabled' } }, {}],
      [{ service_tier: 'standard_only' }, { service_tier: 'standard_only' }],
      [{ tool_choice: { type: 'auto' } }, { tool_choice: { type: 'auto' } }],
    ],
  ],
  [
    'Gemini',
    googleScript,
    [
      [{ top_k: 5, topP: 0.5 }, { generationConfig: { topK: 5, topP: 0.5 } }],
      [{ generation_config: { max_output_tokens: 100 } }, { generationConfig: { maxOutputTokens: 100 } }],
      [{ maxOutputTokens: 100 }, { generationConfig: { maxOutputTokens: 100 } }],
      [{ safety_settings: safety }, { safetySettings: safety }],
      [{ labels: { my_team: 'blue_one' } }, { labels: { my_team: 'blue_one' } }],
      [
        { media_resolution: 'MEDIA_RESOLUTION_LOW' },
        { generationConfig: { mediaResolution: 'MEDIA_RESOLUTION_LOW' } },
      ],
      [{ response_json_schema: schema }, { generationConfig: { responseJsonSchema: schema } }],
      [
        { thinking_config: { include_thoughts: false } },
        { generationConfig: { thinkingConfig: { includeThoughts: false } } },
      ],
    ],
  ],
  [
    'Bedrock Converse',
    bedrockScript,
    [
      [
        { inferenceConfig: { temperature: 0.2, maxTokens: 100 } },
        { inferenceConfig: { temperature: 0.2, maxTokens: 100 } },
      ],
      [
        { additional_model_request_fields: { inferenceConfig: { topK: 5 } } },
        { additionalModelRequestFields: { inferenceConfig: { topK: 5 } } },
      ],
      [{ requestMetadata: { team: 'blue' } }, { requestMetadata: { team: 'blue' } }],
      [{ serviceTier: { type: 'flex' } }, { serviceTier: { type: 'flex' } }],
    ],
  ],
  [
    'Cohere chat',
    cohereScript,
    [
      [
        { k: 5, p: 0.5 },
        { k: 5, p: 0.5 },
      ],
      [{ safety_mode: 'STRICT' }, { safety_mode: 'STRICT' }],
      [{ citation_options: { mode: 'OFF' } }, { citation_options: { mode: 'OFF' } }],
      [{ max_tokens: 100 }, { max_tokens: 100 }],
    ],
  ],
];

describe.each(taken)('%s takes', (_, script, rows) => {
  test.each(named(rows))('$fields', async ({ fields, expected, more }) => {
    const { status, sent, message } = await ask(script, fields, more);
    expect([status, message]).toEqual([200, '']);
    expect(sent ?? {}).toMatchObject(expected);
  });
});

const tools = [
  { type: 'mcp', server_label: 'a', server_url: 'https://a.example', require_approval: 'never' },
];

/** Names of what has a cost, a risk or a meaning of its own, in other protocols too. */
const ownNames = [
  ...['model', 'Model', 'MODEL', 'models', 'route', 'stream', 'Stream', 'n', 'N', 'input', 'INPUT'],
  ...['messages', 'Contents', 'tools', 'TOOLS', 'store', 'conversation', 'previousResponseId', 'background'],
];
const unlisted = [
  ...['fallbacks', 'prompt', 'instructions', 'system', 'systemInstruction', 'cachedContent', 'container'],
  ...['speed', 'inference_geo', 'mcp_servers', 'routingConfig', 'modelSelectionConfig', 'plugins', 'preset'],
  ...['web_search_options', 'search_parameters', 'enable_search', 'betas', 'anthropic_beta', 'documents'],
  ...['performanceConfig', 'guardrailConfig', 'promptVariables', 'modelId', 'best_of', 'num_choices'],
  ...['audio', 'modalities', 'context_management', 'ultra', '__proto__', 'constructor', ''],
];

const refusedOf = (names: readonly string[]): readonly Row[] =>
  names.map((name) => [Object.fromEntries([[name, { mode: true }]]), { param: `native_fields.${name}` }]);

const lists = [anthropicMessages, googleGenerateContent, bedrockConverse, cohereChat].map(
  ({ name, nativeFields }) => ({ name, fields: nativeFields(testTarget()) }),
);

test.each([{ name: 'openai-responses', fields: responsesFields }, ...lists])(
  'the list of $name has none of them',
  ({ name: protocol, fields }) => {
    for (const name of unlisted) {
      const request = testRequest({}, { nativeFields: Object.fromEntries([[name, { mode: true }]]) });
      expect(() => readNative(request, { fields, protocol, isPrimary: true })).toThrow(
        expect.objectContaining({ param: `native_fields.${name}` }),
      );
    }
  },
);

/** What is refused, and the field that the error names, where it is not the only one. */
const refused: readonly (readonly [string, ProtocolScript, readonly Row[]])[] = [
  ['OpenAI chat', openaiScript, refusedOf([...ownNames, ...unlisted])],
  [
    'OpenAI Responses',
    openaiResponsesScript,
    [
      ...refusedOf(ownNames),
      [{ tools }, { param: 'native_fields.tools' }],
      [{ prompt: { id: 'pmpt_1' } }, { param: 'native_fields.prompt' }],
      [{ reasoning: { budget: 1 } }, { param: 'native_fields.reasoning.budget' }],
      [{ max_output_tokens: 0 }, { param: 'native_fields.max_output_tokens' }],
      [{ max_output_tokens: '128000' }, { param: 'native_fields.max_output_tokens' }],
      [{ max_output_tokens: 16, maxOutputTokens: 128_000 }, { param: 'native_fields.maxOutputTokens' }],
      [{ service_tier: 'warp' }, { param: 'native_fields.service_tier' }],
      [{ text: 'x' }, { param: 'native_fields.text' }],
    ],
  ],
  [
    'Anthropic Messages',
    anthropicScript,
    [
      [{ service_tier: 'priority' }, { param: 'native_fields.service_tier' }],
      [{ output_config: { effort: 'low', tools } }, { param: 'native_fields.output_config.tools' }],
      [{ thinking: { type: 'endless' } }, { param: 'native_fields.thinking.type' }],
    ],
  ],
  [
    'Gemini',
    googleScript,
    [
      [{ serviceTier: 'priority' }, { param: 'native_fields.serviceTier' }],
      [{ candidate_count: 8 }, { param: 'native_fields.candidate_count' }],
      [
        { generationConfig: { candidateCount: 8 } },
        { param: 'native_fields.generationConfig.candidateCount' },
      ],
      [
        { generationConfig: { routingConfig: { manualMode: { modelName: 'gemini-3.1-pro-preview' } } } },
        { param: 'native_fields.generationConfig.routingConfig' },
      ],
      [
        { generationConfig: { responseModalities: ['IMAGE'] } },
        { param: 'native_fields.generationConfig.responseModalities' },
      ],
      [
        { maxOutputTokens: 1, generationConfig: { maxOutputTokens: 8 } },
        { param: 'native_fields.generationConfig.maxOutputTokens' },
      ],
    ],
  ],
  [
    'Bedrock Converse',
    bedrockScript,
    [
      [
        { additionalModelRequestFields: { max_tokens: 9 } },
        { param: 'native_fields.additionalModelRequestFields.max_tokens' },
      ],
      [
        { additionalModelRequestFields: { anthropic_beta: ['context-1m-2025-08-07'] } },
        { param: 'native_fields.additionalModelRequestFields.anthropic_beta' },
      ],
      [{ toolConfig: { tools } }, { param: 'native_fields.toolConfig' }],
    ],
  ],
  ['Cohere chat', cohereScript, [[{ priority: 0 }, { param: 'native_fields.priority' }]]],
];

describe.each(refused)('%s refuses by name, without a call,', (_, script, rows) => {
  test.each(named(rows))('$fields', async ({ fields, expected }) => {
    const { status, param, sent } = await ask(script, fields);
    expect({ status, param }).toEqual({ status: 400, ...expected });
    expect(sent).toBeUndefined();
  });
});

describe('a refusal', () => {
  test('names the protocol and the closest field', async () => {
    const { message } = await ask(googleScript, { safety_setting: safety });
    expect(message).toBe(
      "'native_fields.safety_setting' is not supported in the protocol 'google-generate-content'; the closest field is 'safetySettings'.",
    );
  });

  const nested = (depth: number): object => (depth === 0 ? {} : { a: nested(depth - 1) });

  test.each<[string, object, string]>([
    ['bytes', { labels: { a: 'x'.repeat(maxNativeBytes) } }, `${maxNativeBytes} bytes`],
    ['levels', { labels: nested(maxNativeDepth) }, `${maxNativeDepth} levels`],
    ['values', { labels: Array(maxNativeValues).fill(0) }, `${maxNativeValues} values`],
  ])('names the limit of %s', async (_, fields, limit) => {
    const { status, param, message, sent } = await ask(googleScript, fields);
    expect([status, param, sent]).toEqual([400, 'native_fields', undefined]);
    expect(message).toContain(limit);
  });
});

describe('a field that takes the place of a parameter', () => {
  test.each<[ProtocolScript, object, object, string]>([
    [openaiScript, { max_completion_tokens: 10 }, { max_completion_tokens: 20 }, 'max_completion_tokens'],
    [openaiResponsesScript, { max_output_tokens: 10 }, { maxOutputTokens: 20 }, 'max_output_tokens'],
    [googleScript, { temperature: 1 }, { temperature: 0.5 }, 'temperature'],
    [
      googleScript,
      { reasoning_effort: 'high' },
      { thinking_config: { thinking_budget: 0 } },
      'reasoning_effort',
    ],
    [
      googleScript,
      { reasoning_effort: 'high' },
      { generationConfig: { thinkingConfig: {} } },
      'reasoning_effort',
    ],
    [anthropicScript, { user: 'a' }, { metadata: { user_id: 'b' } }, 'user'],
    [cohereScript, { top_p: 0.5 }, { p: 0.4 }, 'top_p'],
  ])('is on record: %#', async (script, more, fields, param) => {
    const { status, records } = await ask(script, fields, more);
    expect(status).toBe(200);
    const record = records.find((one) => one.param === param && /^native_fields\./.test(one.reason));
    expect(record?.reason).toMatch(/ overrides this parameter\.$/);
  });

  test('leaves no trace of the other in what is sent', async () => {
    const { sent } = await ask(openaiScript, { max_completion_tokens: 20 }, { max_tokens: 10 });
    expect(sent).toMatchObject({ max_completion_tokens: 20 });
    expect(sent).not.toHaveProperty('max_tokens');
  });

  test('is also read without the rules', async () => {
    const extra = { normalize: false };
    const { sent } = await ask(googleScript, { max_output_tokens: 20 }, { max_completion_tokens: 10, extra });
    expect(sent).toMatchObject({ generationConfig: { maxOutputTokens: 20 } });
  });
});

test('a fallback of another protocol goes without them, on record', async () => {
  const { upstream, gateway } = protocols;
  let calls = 0;
  upstream.script((request, response) => {
    calls += 1;
    if (calls === 1) return void response.writeHead(404).end('{}');
    return answerJson(anthropicScript.body(hello))(request, response);
  });
  const response = await gateway.post('/v1/chat/completions', {
    model: googleScript.model,
    messages: [{ role: 'user', content: 'Hello.' }],
    native_fields: { safety_settings: safety, max_output_tokens: 5 },
    extra: { fallbacks: [anthropicScript.model], debug: ['normalizations'] },
  });
  const { debug } = (await response.json()) as { debug?: { normalizations: object[] } };
  expect(response.status).toBe(200);
  expect(debug?.normalizations).toContainEqual(
    expect.objectContaining({ param: 'native_fields', before: ['safety_settings', 'max_output_tokens'] }),
  );
  expect(upstream.requests.at(-1)?.body).not.toHaveProperty('safetySettings');
});
