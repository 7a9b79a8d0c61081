/** How Gemini reports a search: the query, the pages, and which bytes of the text cite which page. */
import type { Answer } from '../exchange.ts';

/** Nothing where nothing was searched. */
export function writeGrounding({ search, text, citations }: Answer): object {
  if (!search) return {};
  const byteAt = (at: number): number => Buffer.byteLength(text.slice(0, at));
  const groundingSupports = citations.map(({ start, end, source }) => ({
    segment: {
      // The provider leaves out what is 0.
      ...(start > 0 && { startIndex: byteAt(start) }),
      endIndex: byteAt(end),
      text: text.slice(start, end),
    },
    groundingChunkIndices: [search.sources.indexOf(source)],
  }));
  return {
    groundingMetadata: {
      searchEntryPoint: { renderedContent: '<div class="container"></div>' },
      groundingChunks: search.sources.map(({ url: uri, title }) => ({ web: { uri, title } })),
      ...(groundingSupports.length > 0 && { groundingSupports }),
      webSearchQueries: [search.query],
    },
  };
}
