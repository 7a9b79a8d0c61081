/** The provider's own search of the web: what a wire does not take of the tool, and searches that are over. */
import type { WebSearchTool } from '../core/generation/request.ts';
import { type FieldOf, pathOf } from '../core/generation/source.ts';
import type { Change, MessageRule, RequestRule, Rule } from './rule.ts';
import { summarize } from './summarize.ts';

/** What a caller may say of the search beside that there is one, and where. */
const fields = {
  contextSize: 'search_context_size',
  userLocation: 'user_location',
} as const satisfies Partial<Record<keyof WebSearchTool, string>>;

/** Leaves out what only shapes a search, where the provider's has no field for it. */
export function unsupportedSearchFields(...lacked: readonly (keyof typeof fields)[]): RequestRule {
  return (request) => {
    const { webSearch } = request;
    if (!webSearch) return undefined;
    const changes = lacked.flatMap((name): Change[] => {
      const value = webSearch[name];
      if (value === undefined) return [];
      const param = pathOf(webSearch, name);
      const reason = "The provider's search has no such parameter.";
      return [{ param, action: 'strip', before: summarize(value), after: null, reason }];
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

/** A refusal of the search, where `applies` says so. */
export function noWebSearch(
  field: FieldOf<WebSearchTool>,
  applies: Rule['applies'],
  message: (model: string) => string,
): Rule {
  return {
    param: 'tool_choice',
    reason: 'The provider has no such search.',
    adds: true,
    applies: (context) => context.request.webSearch !== undefined && applies(context),
    refuses: {
      path: ({ request: { webSearch } }) => (webSearch ? pathOf(webSearch, field) : 'tools'),
      message: ({ target }) => message(target.model.id),
    },
  };
}

/** A limit of the provider's own tools is nothing where it has none to run. */
export const limitOfSearches: Rule = {
  param: 'max_tool_calls',
  reason: 'The provider limits only its own tools, and none was given.',
  applies: ({ request }) => request.webSearch === undefined,
};

/** Searches that are over: what they found is encrypted for their maker, and the answer is in the texts after them. */
export const stripWebSearches: MessageRule = {
  reason: 'A search that is over goes back only to the provider family that made it.',
  apply: (message) => {
    if (message.role !== 'assistant' || !message.webSearches) return undefined;
    const { webSearches, ...rest } = message;
    const before = webSearches.length === 1 ? '1 search' : `${webSearches.length} searches`;
    return { message: rest, field: 'webSearches', before };
  },
};
