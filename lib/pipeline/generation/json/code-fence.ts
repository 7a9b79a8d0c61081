/** Removes a Markdown code fence around a streamed text: models often put JSON into one when its format is only described. */

const opening = '```';

/** No first line of a fence is longer. */
const maxFirstLine = 40;

/** White space of more than this is text, also where it may be that around a fence. In characters. */
const maxBlank = 1_000;

/** Where the end of a text begins that may be the closing fence. A pattern for it takes the square of a run of spaces. */
function closingAt(text: string): number {
  const written = text.trimEnd();
  const ticks = /`{0,3}$/.exec(written.slice(-opening.length))?.[0].length ?? 0;
  return written.slice(0, written.length - ticks).trimEnd().length;
}

export interface CodeFence {
  /** The text that is certain to be inside. */
  add(piece: string): string;
  /** The rest, at the end of the text. */
  end(): string;
}

export function codeFence(): CodeFence {
  let state: 'start' | 'inside' | 'none' = 'start';
  let held = '';

  function begin(): void {
    const text = held.trimStart();
    if (held.length <= maxBlank && opening.startsWith(text)) return;
    const lineEnd = text.indexOf('\n');
    if (!text.startsWith(opening) || (lineEnd < 0 && text.length > maxFirstLine)) state = 'none';
    else if (lineEnd >= 0) {
      state = 'inside';
      held = text.slice(lineEnd + 1);
    }
  }

  function release(): string {
    if (state === 'start') return '';
    const kept = state === 'inside' ? Math.max(closingAt(held), held.length - maxBlank) : held.length;
    const text = held.slice(0, kept);
    held = held.slice(kept);
    return text;
  }

  return {
    add(piece) {
      held += piece;
      if (state === 'start') begin();
      return release();
    },
    end: () => (state === 'inside' && held.trim() === opening ? '' : held),
  };
}
