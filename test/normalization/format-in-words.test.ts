/** Response formats that a target has no mode for: which provider's rules put them into words, where, and what is recorded. */
import { describe, expect, test } from 'vitest';
import type { Traits } from '../../lib/core/catalog/model.ts';
import type {
  GenerationParameters,
  GenerationRequest,
  Message,
  Tool,
} from '../../lib/core/generation/request.ts';
import { normalize } from '../../lib/normalization/normalize.ts';
import { anthropic } from '../../lib/providers/anthropic/provider.ts';
import { bedrock } from '../../lib/providers/bedrock/provider.ts';
import { cohere } from '../../lib/providers/cohere/provider.ts';
import { hostProvider } from '../../lib/providers/hosts/host-provider.ts';
import { hosts } from '../../lib/providers/hosts/hosts.ts';
import type { Provider } from '../../lib/providers/provider.ts';
import { testRequest, testTarget } from '../harness/matrix/model.ts';

type Format = NonNullable<GenerationParameters['response_format']>;
const schema = { type: 'object', properties: { city: { type: 'string' } } };
const bySchema: Format = {
  type: 'json_schema',
  json_schema: { name: 'place', description: 'a place', schema },
};
const json: Format = { type: 'json_object' };
const tools: readonly Tool[] = [{ name: 'weather' }];

const deepseek = hostProvider('deepseek', hosts.deepseek);
const groq = hostProvider('groq', hosts.groq);

function sent(
  provider: Provider,
  response_format: Format,
  structuredOutput?: Traits['structuredOutput'],
  parts: Partial<GenerationRequest> = {},
) {
  const traits = { refuses: [], refusesWhileReasoning: [], ...(structuredOutput && { structuredOutput }) };
  const request = testRequest({}, { ...parts, parameters: { response_format } });
  const rules = provider.generation?.rules ?? { parameters: [], messages: [] };
  const normalized = normalize(request, testTarget({ traits }), rules);
  const { parameters, messages } = normalized.request;
  const texts = messages.flatMap(({ role, content }) =>
    role === 'system' ? content.flatMap((part) => (part.type === 'text' ? [part.text] : [])) : [],
  );
  const [change] = normalized.changes.filter(({ param }) => param === 'response_format');
  return { format: parameters.response_format?.type, texts, change };
}

test.each<
  [string, Provider, Format, Traits['structuredOutput'], Partial<GenerationRequest>, string | undefined]
>([
  ['a schema at a host with JSON mode only', deepseek, bySchema, 'object', {}, 'json_object'],
  ['a schema at a host without any mode', deepseek, bySchema, undefined, {}, undefined],
  [
    'a schema beside tools, at a host that takes no format beside them',
    groq,
    bySchema,
    'schema',
    { tools },
    undefined,
  ],
  ['JSON beside tools, at such a host', groq, json, 'object', { tools }, undefined],
  ['JSON beside tools, where a tool cannot be forced', anthropic, json, 'schema', { tools }, undefined],
  ['JSON beside tools on Bedrock', bedrock, json, undefined, { tools }, undefined],
  ['JSON beside tools at Cohere', cohere, json, 'schema', { tools }, undefined],
])('%s', (_, provider, format, mode, parts, kept) => {
  const { format: type, texts, change } = sent(provider, format, mode, parts);
  expect(type).toBe(kept);
  expect(texts.at(-1)).toMatch(/^Write your final answer as one JSON object/);
  if (format.type === 'json_schema') expect(texts.at(-1)).toContain(JSON.stringify(schema));
  expect(change).toMatchObject({
    action: kept ? 'override' : 'strip',
    before: format.type,
    after: kept ?? null,
    reason: expect.stringContaining('in words'),
  });
});

test.each<[string, Provider, Format, Traits['structuredOutput'], Partial<GenerationRequest>]>([
  ['a schema at a host that takes it', deepseek, bySchema, 'schema', {}],
  ['JSON at a host, whatever the model', deepseek, json, undefined, {}],
  ['a schema without tools at Groq', groq, bySchema, 'schema', {}],
  ['a schema beside tools, in the model’s own mode', anthropic, bySchema, 'schema', { tools }],
  ['a schema by a forced tool', anthropic, bySchema, undefined, {}],
  ['JSON by a forced tool', bedrock, json, undefined, {}],
  ['a schema at Cohere', cohere, bySchema, 'schema', {}],
])('needs no words: %s', (_, provider, format, mode, parts) => {
  expect(sent(provider, format, mode, parts)).toEqual({ format: format.type, texts: [], change: undefined });
});

describe('the words', () => {
  test('go to the end of the first system message', () => {
    const messages: readonly Message[] = [
      { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
      { role: 'user', content: [{ type: 'text', text: 'Where?' }] },
    ];
    const { texts } = sent(deepseek, bySchema, 'object', { messages });
    expect(texts).toEqual(['Be brief.', expect.stringContaining('It holds: a place')]);
  });
});

test('a strict schema by a forced tool is not strict, on record', () => {
  const strict: Format = { type: 'json_schema', json_schema: { name: 'place', schema, strict: true } };
  const request = testRequest({}, { parameters: { response_format: strict } });
  const { changes } = normalize(request, testTarget(), anthropic.generation.rules);
  expect(changes).toContainEqual(
    expect.objectContaining({ param: 'response_format.json_schema.strict', action: 'strip', before: true }),
  );
});
