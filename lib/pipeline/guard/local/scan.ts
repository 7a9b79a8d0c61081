/** Matches of a regular expression in a text of any length: slice by slice, so that other requests have their turn. */

/** Finds where a text has something, and what it is called. Yields where it may pause. */
export type Scan = (text: string) => Generator<void, readonly Match[]>;

/** UTF-16 code units. */
export interface Match {
  readonly start: number;
  readonly end: number;
  readonly label: string;
}

/** In characters. The context is what an expression may look at before its match, the overlap the longest match. */
const sliceLength = 16_384;
const context = 64;
const overlap = 8_192;

/**
 * `accept`: whether a match is one, such as by its check digits. The expression has the flag `g`, and is linear by its form. Its group
 * is what stands before where it was found, and belongs to it.
 */
export function* matchesOf(
  expression: RegExp,
  text: string,
  accept: (found: string) => boolean = () => true,
): Generator<void, readonly { readonly start: number; readonly end: number }[]> {
  const found: { start: number; end: number }[] = [];
  let next = 0;
  for (let from = 0; from < text.length; from += sliceLength) {
    const first = Math.max(0, from - context);
    const slice = text.slice(first, from + sliceLength + overlap);
    expression.lastIndex = Math.max(from, next) - first;
    for (let match = expression.exec(slice); match; match = expression.exec(slice)) {
      const start = first + match.index;
      if (start >= from + sliceLength) break;
      if (match[0] === '') expression.lastIndex += 1;
      else if (accept(match[0])) {
        next = start + match[0].length;
        found.push({ start: start - (match[1]?.length ?? 0), end: next });
      }
    }
    yield;
  }
  return found;
}
