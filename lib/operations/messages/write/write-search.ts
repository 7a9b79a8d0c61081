/**
 * A web search of the provider as the two blocks that Anthropic's has: the search, and what it found. Both are written when it
 * ends, because only then its query is known. Opening a page that was found is a step of the same search and has no block.
 */

import { objectsIn } from '../../../core/formats/json-object.ts';
import type { GenerationEvent, UrlCitation } from '../../../core/generation/events.ts';
import type { Blocks } from './blocks.ts';

type SearchEnd = Extract<GenerationEvent, { readonly type: 'web-search-end' }>;

export const isSearch = ({ action }: SearchEnd): boolean => action.type === 'search';

/**
 * `id`: of the block. `marker`: what stands in the place of what Anthropic encrypts, for its models only. It marks the block as the
 * gateway's, so that it does not reach them. Other providers show no texts of what they found.
 */
export function writeSearch(blocks: Blocks, id: string, found: SearchEnd, marker: string): void {
  const { query, queries } = found.action;
  const several = Array.isArray(queries) && queries.length > 1 ? { queries } : {};
  const input = JSON.stringify({ query: typeof query === 'string' ? query : '', ...several });
  const search = blocks.add({ type: 'server_tool_use', id, name: 'web_search', input: {} });
  blocks.delta(search, `{"type":"input_json_delta","partial_json":${JSON.stringify(input)}}`);
  blocks.end(search);
  const content = found.status === 'completed' ? resultsOf(found, marker) : failed;
  blocks.end(blocks.add({ type: 'web_search_tool_result', tool_use_id: id, content }));
}

/** Other protocols do not report why. */
const failed = { type: 'web_search_tool_result_error', error_code: 'unavailable' };

function resultsOf({ action }: SearchEnd, encrypted_content: string): readonly object[] {
  return objectsIn(action.sources).flatMap(({ url, title }) =>
    typeof url !== 'string' || url === ''
      ? []
      : [
          {
            type: 'web_search_result',
            title: typeof title === 'string' && title !== '' ? title : url,
            url,
            encrypted_content,
            page_age: null,
          },
        ],
  );
}

/** As long as Anthropic's, in characters. Source: platform.claude.com/docs, "Web search tool", citations. */
const maxCitedText = 150;

/** `answer`: the text that the offsets count in. Other providers say which part of the answer a source supports. */
export function writeCitation(
  { url_citation: { url, title, start_index: start, end_index: end } }: UrlCitation,
  answer: string,
  encrypted_index: string,
): string {
  const citation = {
    type: 'web_search_result_location',
    cited_text: answer.slice(start, Math.min(end, start + maxCitedText)),
    url,
    title: title === '' ? null : title,
    encrypted_index,
  };
  return `{"type":"citations_delta","citation":${JSON.stringify(citation)}}`;
}
