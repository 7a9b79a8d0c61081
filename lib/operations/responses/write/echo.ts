/**
 * The fields of the request that a response object repeats, in OpenAI's format. All are always there, as in OpenAI's own
 * answers and in the Open Responses specification.
 */

import { isJsonObject } from '../../../core/formats/json-object.ts';
import type { JsonObject } from '../../../core/generation/request.ts';
import { isAllowed, nameOf } from '../read/choose-tools.ts';
import { isSearch } from '../read/read-tools.ts';
import type { ResponsesBody, TextFormatBody } from '../read/schema.ts';
import type { ToolBody, ToolChoiceBody } from '../read/tool-schema.ts';

export type ResponseEcho = ReturnType<typeof echo>;

export function echo(body: ResponsesBody) {
  const { reasoning, text } = body;
  return {
    background: body.background ?? false,
    // The operation has no penalties: these are the values without.
    frequency_penalty: 0,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    max_tool_calls: body.max_tool_calls ?? null,
    metadata: body.metadata ?? {},
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    presence_penalty: 0,
    previous_response_id: body.previous_response_id ?? null,
    prompt_cache_key: body.prompt_cache_key ?? null,
    reasoning: {
      effort: reasoning?.effort ?? null,
      summary: reasoning?.summary ?? reasoning?.generate_summary ?? null,
    },
    safety_identifier: body.safety_identifier ?? null,
    // The requested tier, until it is known which one was used.
    service_tier: body.service_tier ?? 'auto',
    store: body.store ?? true,
    temperature: body.temperature ?? 1,
    text: {
      format: echoFormat(text?.format ?? { type: 'text' }),
      verbosity: text?.verbosity ?? 'medium',
    },
    tool_choice: echoChoice(body.tool_choice ?? 'auto'),
    tools: (body.tools ?? []).map(echoTool),
    top_logprobs: body.top_logprobs ?? 0,
    top_p: body.top_p ?? 1,
    truncation: body.truncation ?? 'disabled',
    user: body.user ?? null,
  };
}

function echoFormat(format: TextFormatBody): JsonObject {
  if (format.type !== 'json_schema') return format;
  const { name, description, schema, strict } = 'json_schema' in format ? format.json_schema : format;
  const described = description == null ? {} : { description };
  return { type: format.type, name, ...described, schema: schema ?? {}, strict: strict ?? false };
}

function echoTool(tool: ToolBody): JsonObject {
  if (tool.type === 'function') {
    const { type, ...given } = 'function' in tool ? { type: tool.type, ...tool.function } : tool;
    const { name, description = null, parameters = null, strict = null, ...others } = given;
    return { type, name, description, parameters, strict, ...withoutNulls(others) };
  }
  if (!isSearch(tool)) return withoutSecrets(withoutNulls(tool));
  const { type, search_context_size, user_location: location, filters, ...others } = tool;
  const { city = null, country = null, region = null, timezone = null } = location ?? {};
  return {
    ...withoutNulls(others),
    type,
    search_context_size: search_context_size ?? 'medium',
    user_location: location ? { type: 'approximate', city, country, region, timezone } : null,
    ...(filters?.allowed_domains && { filters: { allowed_domains: filters.allowed_domains } }),
  };
}

function withoutNulls(tool: object): JsonObject {
  return Object.fromEntries(Object.entries(tool).filter(([, value]) => value !== null));
}

/** What opens another server of the caller's is neither answered nor stored. */
function withoutSecrets({ authorization, headers, ...tool }: JsonObject): JsonObject {
  return tool;
}

/** An item that adds tools to the conversation, as it may be stored. */
export function storableItem(item: JsonObject): JsonObject {
  return Array.isArray(item.tools)
    ? { ...item, tools: item.tools.map((tool) => (isJsonObject(tool) ? withoutSecrets(tool) : tool)) }
    : item;
}

function echoChoice(choice: ToolChoiceBody | null | undefined): string | JsonObject {
  if (choice == null) return 'auto';
  if (typeof choice === 'string') return choice;
  if (!isAllowed(choice)) return echoNamed(choice);
  return { type: choice.type, mode: choice.mode, tools: choice.tools.map(echoNamed) };
}

function echoNamed(named: Exclude<ToolChoiceBody, string | { mode: string }>): JsonObject {
  const name = nameOf(named);
  return name === undefined ? withoutSecrets({ ...named }) : { type: named.type, name };
}
