/**
 * The sources of an answer: those in the message, and those that a host lists beside it (Perplexity, xAI). The latter are
 * emitted at the end as annotations of the whole text. Every chunk of a stream repeats them, so the last list is used.
 */

import { asArray, asObject } from '../../core/formats/json-object.ts';
import type { GenerationEvent } from '../../core/generation/events.ts';
import { asOptionalText, asText } from '../json.ts';
import type * as wire from './wire.ts';

/** More than any answer has. Those of a host are repeated for each choice. */
const maxSources = 1_000;

export interface Source {
  readonly url: string;
  readonly title: string;
}

/** The sources of a body or chunk; undefined if it has none. */
export function readSources({
  search_results: results,
  citations,
}: wire.Answer): readonly Source[] | undefined {
  // Every piece of a stream is asked, and few have them.
  if (results === undefined && citations === undefined) return undefined;
  const detailed = asArray(results).map(asObject<wire.SearchResult>);
  const listed = detailed.length > 0 ? detailed : asArray(citations).map(toSource);
  const sources = listed.slice(0, maxSources).flatMap(({ url, title }) => {
    const known = asOptionalText(url);
    return known === undefined ? [] : [{ url: known, title: asText(title) }];
  });
  return sources.length > 0 ? sources : undefined;
}

const toSource = (citation: unknown): wire.SearchResult =>
  typeof citation === 'string' ? { url: citation } : asObject<wire.SearchResult>(citation);

/** Emits sources in the message itself. Returns whether there are any. */
export function onAnnotations(choice: number, delta: wire.Delta, events: GenerationEvent[]): boolean {
  const before = events.length;
  for (const annotation of asArray(delta.annotations)) {
    const citation = asObject<wire.UrlCitation>(asObject<wire.Annotation>(annotation).url_citation);
    const url = asOptionalText(citation.url);
    if (url === undefined) continue;
    const [start, end] = [citation.start_index, citation.end_index].map((at) =>
      typeof at === 'number' ? at : 0,
    );
    const found = { url, title: asText(citation.title), start_index: start ?? 0, end_index: end ?? 0 };
    events.push({ type: 'annotation', choice, annotation: { type: 'url_citation', url_citation: found } });
  }
  return events.length > before;
}

/** `written`: the number of characters of the text that the sources belong to. */
export function onSources(
  choice: number,
  sources: readonly Source[],
  written: number,
  events: GenerationEvent[],
): void {
  for (const source of sources) {
    const url_citation = { ...source, start_index: 0, end_index: written };
    events.push({ type: 'annotation', choice, annotation: { type: 'url_citation', url_citation } });
  }
}
