/**
 * Google's grounding metadata as a search and as citations. Google counts bytes of UTF-8 within one part; callers get
 * offsets into the text of the message, in UTF-16 units as in JavaScript.
 */

import { asArray, asObject, withoutUndefined } from '../../core/formats/json-object.ts';
import type { UrlCitation } from '../../core/generation/events.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import { asCount, asOptionalText, asText } from '../json.ts';
import type * as wire from './wire.ts';

/** The fields that are read here. The metadata of the frames of a stream are joined. */
export function groundingOf(metadata: unknown): wire.Grounding {
  const { webSearchQueries, groundingChunks, groundingSupports } = asObject<wire.Grounding>(metadata);
  return withoutUndefined({ webSearchQueries, groundingChunks, groundingSupports });
}

/** The queries of a search that has not ended yet. */
export function readQueries(toolCall: wire.HostedCall): readonly string[] {
  return asArray(asObject<wire.HostedArgs>(toolCall.args).queries).flatMap(
    (query) => asOptionalText(query) ?? [],
  );
}

/** The search in its public form; undefined if there was none. Google reports all queries together. */
export function readSearch(metadata: wire.Grounding, known: readonly string[]): JsonObject | undefined {
  const reported = asArray(metadata.webSearchQueries).flatMap((query) => asOptionalText(query) ?? []);
  const queries = [...new Set([...known, ...reported])];
  const found = readSources(metadata).flatMap(({ uri }) => asOptionalText(uri) ?? []);
  if (queries.length + found.length === 0) return undefined;
  const sources = [...new Set(found)].map((url) => ({ type: 'url', url }));
  return { type: 'search', query: queries[0] ?? '', queries, sources };
}

/**
 * What an answer was grounded in beside the web, each with a price of its own: places, and texts of a store.
 * Source: GroundingChunk of the Gemini API and of Vertex.
 */
export function readHostedCalls({ groundingChunks }: wire.Grounding): readonly string[] {
  const chunks = asArray(groundingChunks).map(asObject<wire.GroundingChunk>);
  return toolsOfChunks.flatMap(([kind, tool]) =>
    chunks.some((chunk) => chunk[kind] !== undefined) ? [tool] : [],
  );
}

const toolsOfChunks = [
  ['maps', 'google_maps'],
  ['retrievedContext', 'retrieval'],
] as const;

const readSources = (metadata: wire.Grounding): readonly wire.WebSource[] =>
  asArray(metadata.groundingChunks).map((chunk) =>
    asObject<wire.WebSource>(asObject<wire.GroundingChunk>(chunk).web),
  );

/** More than any answer has: finding the place of one takes the time of the whole text. */
const maxCitations = 500;

/** `starts`: for each part so far, where its text starts in the message. */
export function readCitations(
  metadata: wire.Grounding,
  text: string,
  starts: readonly number[],
): readonly UrlCitation[] {
  const sources = readSources(metadata);
  const citations = asArray(metadata.groundingSupports)
    .slice(0, maxCitations)
    .map(asObject<wire.GroundingSupport>)
    .flatMap((support) => {
      const [start_index, end_index] = findSegment(asObject<wire.Segment>(support.segment), text, starts);
      const indices = asArray(support.groundingChunkIndices).slice(0, maxCitations);
      return indices.flatMap((index): UrlCitation[] => {
        const source = sources[Number(index)];
        const url = asOptionalText(source?.uri);
        if (url === undefined) return [];
        const title = asText(source?.title);
        return [{ type: 'url_citation', url_citation: { url, title, start_index, end_index } }];
      });
    });
  return citations.slice(0, maxCitations);
}

function findSegment(segment: wire.Segment, text: string, starts: readonly number[]): [number, number] {
  const quoted = asText(segment.text);
  const base = starts[Number(segment.partIndex ?? 0)] ?? 0;
  const endByte = asCount(segment.endIndex);
  // A character has at least one byte.
  const bytes = Buffer.from(text.slice(base, base + endByte));
  const start = base + bytes.subarray(0, asCount(segment.startIndex)).toString().length;
  const end = base + bytes.subarray(0, endByte).toString().length;
  if (quoted === '' || text.slice(start, end) === quoted) return [start, end];
  // Some streams count parts and bytes differently. Then the quoted text determines the position.
  const found = text.indexOf(quoted);
  return found < 0 ? [start, end] : [found, found + quoted.length];
}
