/** The response object, with every key that the provider writes. */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import type { Answer } from '../exchange.ts';
import { isObject, objectOf, objectsOf, textOf } from '../json.ts';
import { canThink } from '../openai/models.ts';
import { writeCost } from '../openai/write.ts';
import type { ResponsesBehaviour } from './behaviour.ts';
import { isWebSearch } from './check-tools.ts';

export interface ResponseState {
  readonly status: 'queued' | 'in_progress' | 'completed' | 'incomplete' | 'failed' | 'cancelled';
  readonly output: readonly JsonObject[];
  readonly answer?: Answer;
  readonly error?: JsonObject;
}

interface ResponseHead {
  readonly id: string;
  readonly createdAt: number;
  readonly thinks: boolean;
}

export const now = (): number => Math.floor(Date.now() / 1_000);

export function writeResponse(
  body: JsonObject,
  { id, createdAt, thinks }: ResponseHead,
  { status, output, answer, error }: ResponseState,
  { omits = [], addition, reportsTools = false }: ResponsesBehaviour,
): JsonObject {
  const done = status !== 'in_progress' && status !== 'queued';
  const { effort, summary } = objectOf(body.reasoning);
  const { format, verbosity } = objectOf(body.text);
  const standard = thinks ? 'medium' : 'none';
  const response: JsonObject = {
    id,
    object: 'response',
    created_at: createdAt,
    status,
    background: body.background === true,
    completed_at: status === 'completed' ? now() : null,
    error: error ?? null,
    frequency_penalty: 0,
    incomplete_details: status === 'incomplete' ? { reason: 'max_output_tokens' } : null,
    ...echoed(body),
    output,
    presence_penalty: 0,
    previous_response_id: null,
    reasoning: {
      effort: effort ?? (canThink(textOf(body.model)) ? standard : null),
      summary: summary === 'auto' ? 'detailed' : (summary ?? null),
    },
    service_tier: done ? tierOf(body.service_tier) : (body.service_tier ?? 'auto'),
    text: { format: format ?? { type: 'text' }, verbosity: verbosity ?? 'medium' },
    tools: objectsOf(body.tools).map(writeTool),
    usage: answer ? writeUsage(answer, reportsTools) : null,
    ...addition?.(done),
  };
  return Object.fromEntries(Object.entries(response).filter(([key]) => !omits.includes(key)));
}

/** What the request said, or what holds where it said nothing. */
function echoed(body: JsonObject): JsonObject {
  const defaults = {
    instructions: null,
    max_output_tokens: null,
    max_tool_calls: null,
    metadata: {},
    model: '',
    parallel_tool_calls: true,
    prompt_cache_key: null,
    prompt_cache_retention: null,
    safety_identifier: null,
    store: true,
    temperature: 1,
    tool_choice: 'auto',
    top_logprobs: 0,
    top_p: 1,
    truncation: 'disabled',
    user: null,
  };
  return Object.fromEntries(Object.entries(defaults).map(([key, value]) => [key, body[key] ?? value]));
}

function tierOf(asked: unknown): unknown {
  return asked === undefined || asked === null || asked === 'auto' ? 'default' : asked;
}

function writeTool(tool: JsonObject): JsonObject {
  if (!isWebSearch(tool)) return { description: null, parameters: null, strict: true, ...tool };
  const location = isObject(tool.user_location) ? tool.user_location : {};
  const user_location = {
    city: null,
    country: 'US',
    region: null,
    timezone: null,
    ...location,
    type: 'approximate',
  };
  return { filters: null, search_context_size: 'medium', ...tool, user_location };
}

function writeUsage({ usage, search }: Answer, reportsTools: boolean): JsonObject {
  const output_tokens = usage.output + usage.reasoning;
  return {
    input_tokens: usage.input,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens,
    output_tokens_details: { reasoning_tokens: usage.reasoning },
    total_tokens: usage.input + output_tokens,
    ...(reportsTools && { num_sources_used: 0, num_server_side_tools_used: search ? 1 : 0 }),
    ...(reportsTools && writeCost(usage.input + output_tokens, 'ticks')),
  };
}
