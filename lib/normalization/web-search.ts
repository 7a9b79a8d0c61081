/** The provider's own web search: fields of the tool that a protocol does not support, and finished searches. */
import { type FieldOf, pathOf } from '../core/generation/original/source.ts';
import type { GenerationRequest, WebSearchTool } from '../core/generation/request.ts';
import { summarize } from './conversation/summarize.ts';
import {
  type Change,
  type MessageRule,
  type Normalized,
  type RequestRule,
  type Rule,
  stripped,
} from './rule.ts';

/** Optional fields that only shape a search. */
const fields = {
  contextSize: 'search_context_size',
  userLocation: 'user_location',
} as const satisfies Partial<Record<keyof WebSearchTool, string>>;

/** Strips fields of the search tool that the provider's search does not have. */
export function unsupportedSearchFields(...lacked: readonly (keyof typeof fields)[]): RequestRule {
  return (request) => {
    const { webSearch } = request;
    if (!webSearch) return undefined;
    const changes = lacked.flatMap((name): Change[] => {
      const value = webSearch[name];
      if (value === undefined) return [];
      const param = pathOf(webSearch, name);
      const reason = "The provider's web search does not support this parameter.";
      return [stripped(param, summarize(value), reason)];
    });
    if (changes.length === 0) return undefined;
    return { request: { ...request, webSearch: omit(webSearch, lacked) }, changes };
  };
}

function omit(webSearch: WebSearchTool, lacked: readonly (keyof typeof fields)[]): WebSearchTool {
  const left: { -readonly [Key in keyof WebSearchTool]: WebSearchTool[Key] } = { ...webSearch };
  for (const name of lacked) delete left[name];
  return left;
}

/** Leaves out a search of what the provider has stored of the web, for targets that search the web itself, or not at all. */
export function withoutStoredSearch(request: GenerationRequest): Normalized {
  // A search that is forced cannot be left out.
  if (request.webSearch?.externalAccess !== false || request.parameters.tool_choice === 'web_search') {
    return { request, changes: [] };
  }
  const { webSearch, ...others } = request;
  const reason = 'The model cannot search without access to the web itself, which this tool excludes.';
  const before = { type: webSearch.type, external_web_access: false };
  const change: Change = stripped(pathOf(webSearch), before, reason);
  return { request: others, changes: [change] };
}

/**
 * Leaves out a search that is only declared, for a target that has none: agents such as Codex declare it with every request, beside
 * functions of their own. One that is forced, or the only tool, is what the request is for: a model that cannot search would invent
 * its findings.
 */
export function withoutDeclaredSearch(request: GenerationRequest): Normalized {
  const { webSearch, ...others } = request;
  const { tool_choice: choice = 'auto' } = request.parameters;
  if (!webSearch || request.tools.length === 0 || choice !== 'auto') return { request, changes: [] };
  const reason =
    'The model cannot search the web, or not beside functions. The request only declares the search.';
  const before = { type: webSearch.type };
  return {
    request: others,
    changes: [stripped(pathOf(webSearch), before, reason)],
  };
}

/** Rejects the search if `applies` is true. */
export function noWebSearch(
  field: FieldOf<WebSearchTool>,
  applies: Rule['applies'],
  message: (model: string) => string,
): Rule {
  return {
    param: 'tool_choice',
    reason: 'The provider does not support this web search.',
    adds: true,
    applies: (context) => context.request.webSearch !== undefined && applies(context),
    refuses: {
      path: ({ request: { webSearch } }) => (webSearch ? pathOf(webSearch, field) : 'tools'),
      message: ({ target }) => message(target.model.id),
    },
  };
}

/** Strips the limit of the provider's own tools if there are none. */
export const limitOfSearches: Rule = {
  param: 'max_tool_calls',
  reason: 'The provider limits only calls of its own tools, and the request has none.',
  applies: ({ request }) => request.webSearch === undefined,
};

/** Strips finished searches: what they found is encrypted for their provider, and the texts after them hold the answer. */
export const stripWebSearches: MessageRule = {
  reason: 'Earlier web searches can be returned only to the provider family that made them.',
  always: true,
  apply: (message) => {
    if (message.role !== 'assistant' || !message.webSearches) return undefined;
    const { webSearches, ...rest } = message;
    const before = webSearches.length === 1 ? '1 search' : `${webSearches.length} searches`;
    return { message: rest, field: 'webSearches', before };
  },
};
