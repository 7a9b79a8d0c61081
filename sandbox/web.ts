/** The web of the sandbox: two pages, found by every search, and cited in every answer after a search. */
import type { Answer, Citation, WebSearch, WebSource } from './exchange.ts';

/** Their texts are not all ASCII, so that bytes and characters differ. */
const pages: readonly WebSource[] = [
  {
    url: 'https://example.com/cafe',
    title: 'Example Café',
    snippet: 'The café – so they say – opens at nine.',
  },
  { url: 'https://example.org/guide?page=2', title: 'A guide', snippet: 'It closes at six.' },
];

const listMark = '\n\n- ';

export function searchWeb(query: string): WebSearch {
  return { query, sources: pages };
}

/** The text, followed by a list of what the pages say. */
export function citePages(text: string, sources: readonly WebSource[]): Pick<Answer, 'text' | 'citations'> {
  const citations: Citation[] = [];
  let said = text;
  for (const source of sources) {
    const start = said.length + listMark.length;
    said = `${said}${listMark}${source.snippet}`;
    citations.push({ start, end: said.length, source });
  }
  return { text: said, citations };
}

export interface CitedPiece {
  readonly text: string;
  /** Absent: the model's own text. */
  readonly source?: WebSource;
}

/** The text, cut where a citation begins or ends. */
export function cutAtCitations({ text, citations }: Answer): readonly CitedPiece[] {
  const pieces: CitedPiece[] = [];
  let at = 0;
  for (const { start, end, source } of citations) {
    pieces.push({ text: text.slice(at, start) }, { text: text.slice(start, end), source });
    at = end;
  }
  return [...pieces, { text: text.slice(at) }].filter((piece) => piece.text !== '');
}
