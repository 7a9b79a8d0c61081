/**
 * Recorded requests of every protocol with the number of input tokens that their provider reported, as far as they were recorded
 * with both. Read here and not by the gateway, whose readers are for the public protocols.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GenerationRequest, JsonObject, Message, Tool } from '../../../lib/core/generation/request.ts';
import { hasRecordings } from './recordings.ts';

const folder = join(import.meta.dirname, '../../../../shared/data/traffic');

interface CountedRequest {
  readonly name: string;
  /** Who made the model. */
  readonly owner: string;
  readonly request: GenerationRequest;
  /** As reported, cached tokens included. */
  readonly inputTokens: number;
}

// biome-ignore lint/suspicious/noExplicitAny: recorded JSON of five protocols; a wrong shape fails the test
type Json = any;

export function countedRequests(): readonly CountedRequest[] {
  if (!hasRecordings) return [];
  const files = readdirSync(folder, { recursive: true }).map(String);
  return files
    .filter((file) => file.endsWith('.cassette.json') && !/embed|Embed|voyage/i.test(file))
    .toSorted()
    .flatMap((file) => {
      const { interactions } = JSON.parse(readFileSync(join(folder, file), 'utf8'));
      return interactions.flatMap((one: Json, index: number) => readExchange(`${file} #${index}`, one));
    });
}

function readExchange(name: string, { request, response }: Json): readonly CountedRequest[] {
  const inputTokens = Math.max(0, ...usagesOf(response).map(tokensIn));
  const { body, url } = request;
  const continues = body?.previous_response_id ?? body?.cachedContent;
  if (response.status !== 200 || inputTokens === 0 || continues !== undefined) return [];
  const owner = ownerOf(String(body.model ?? decodeURIComponent(url)));
  return [{ name, owner, request: toRequest(body), inputTokens }];
}

function usagesOf({ json, text = '' }: Json): readonly Json[] {
  const bodies = json ? [json] : [...text.matchAll(/^data: ?(\{.*)$/gm)].map(([, data]) => JSON.parse(data));
  return bodies.flatMap((one: Json) => [
    one.usage,
    one.usageMetadata,
    one.response?.usage,
    one.message?.usage,
  ]);
}

const tokensIn = (usage: Json): number => {
  if (!usage) return 0;
  const { tokens = usage } = usage;
  const cached =
    (tokens.cache_creation_input_tokens ?? 0) +
    (tokens.cache_read_input_tokens ?? 0) +
    (tokens.cacheReadInputTokens ?? 0) +
    (tokens.cacheWriteInputTokens ?? 0);
  const { prompt_tokens, input_tokens, inputTokens, promptTokenCount } = tokens;
  return (prompt_tokens ?? input_tokens ?? inputTokens ?? promptTokenCount ?? 0) + cached;
};

const owners: readonly (readonly [RegExp, string])[] = [
  [/claude/, 'anthropic'],
  [/gemini/, 'google'],
  [/gpt|^o\d/, 'openai'],
  [/command/, 'cohere'],
  [/mistral/, 'mistral'],
  [/deepseek/, 'deepseek'],
  [/nova/, 'amazon'],
];

const ownerOf = (model: string): string => owners.find(([pattern]) => pattern.test(model))?.[1] ?? 'meta';

const list = (value: Json): Json[] => (Array.isArray(value) ? value : []);
const texts = (content: Json): { type: 'text'; text: string }[] =>
  (typeof content === 'string' ? [content] : list(content).map(({ text }) => text))
    .filter((text: unknown) => typeof text === 'string')
    .map((text: string) => ({ type: 'text', text }));

function toRequest(body: Json): GenerationRequest {
  const system = texts(body.system ?? body.instructions ?? body.systemInstruction?.parts);
  const items = typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : list(body.input);
  const said = [...list(body.messages), ...list(body.contents), ...items].flatMap(toMessages);
  const messages: Message[] = [
    ...(system.length > 0 ? [{ role: 'system' as const, content: system }] : []),
    ...said,
  ];
  const declared = [...list(body.tools), ...list(body.toolConfig?.tools)].flatMap(toTools);
  const format = body.output_config?.format ?? body.response_format ?? body.text?.format;
  return {
    messages,
    tools: declared,
    parameters: format
      ? { response_format: { type: 'json_schema', json_schema: { name: 'x', schema: format } } }
      : {},
    stream: false,
  };
}

function toTools(tool: Json): readonly Tool[] {
  const given: Json[] = tool.functionDeclarations ?? [tool.function ?? tool.toolSpec ?? tool];
  return given.map(
    ({
      name,
      description,
      parameters,
      input_schema,
      inputSchema,
      parameters_json_schema,
      parametersJsonSchema,
    }) => ({
      name: name ?? 'tool',
      description: description ?? '',
      parameters: (parameters ??
        input_schema ??
        inputSchema?.json ??
        parameters_json_schema ??
        parametersJsonSchema ??
        {}) as JsonObject,
    }),
  );
}

/** The blocks of a turn: of Anthropic's, Bedrock's and Gemini's forms, and the fields of chat and Responses. */
function toMessages(one: Json): readonly Message[] {
  const blocks = list(one.content ?? one.parts);
  const results = [
    ...blocks.flatMap((block) => {
      const result = block.tool_result ?? block.toolResult ?? block.functionResponse;
      return block.type === 'tool_result' ? [block.content] : result ? [JSON.stringify(result)] : [];
    }),
    ...(one.role === 'tool' ? [one.content] : []),
    ...(one.type === 'function_call_output' ? [one.output] : []),
  ];
  const calls = [
    ...list(one.tool_calls).map((call) => [call.function.name, call.function.arguments]),
    ...blocks.flatMap((block) => {
      const call = block.type === 'tool_use' ? block : (block.toolUse ?? block.functionCall);
      return call ? [[call.name, JSON.stringify(call.input ?? call.args ?? {})]] : [];
    }),
    ...(one.type === 'function_call' ? [[one.name, one.arguments]] : []),
  ];
  const thoughts = blocks.flatMap((block) => (block.type === 'thinking' ? [String(block.thinking)] : []));
  const encoded = [...blocks.map(({ data }) => data), one.encrypted_content].filter(
    (data) => typeof data === 'string',
  );
  if (results.length > 0) {
    const after = texts(blocks.filter(({ type }) => type === 'text'));
    const tools = results.map(
      (content): Message => ({
        role: 'tool',
        toolCallId: 'x',
        content: typeof content === 'string' ? [{ type: 'text', text: content }] : texts(content),
      }),
    );
    return after.length > 0 && one.role !== 'tool' ? [...tools, { role: 'user', content: after }] : tools;
  }
  const content = texts(one.content ?? one.parts);
  if (one.role === 'system' || one.role === 'developer') return [{ role: 'system', content }];
  if (one.role === 'user') return [{ role: 'user', content }];
  return [
    {
      role: 'assistant',
      content,
      toolCalls: calls.map(([name, given]) => ({ id: 'x', name, arguments: given })),
      reasoningDetails: [
        ...thoughts.map((text, index) => ({ type: 'reasoning.text' as const, format: 'x', index, text })),
        ...encoded.map((data, index) => ({ type: 'reasoning.encrypted' as const, format: 'x', index, data })),
      ],
    },
  ];
}
