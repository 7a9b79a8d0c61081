/** Which rows of a long table are in the document: those in sight, and some around them. */

/** Up to this many rows are all there. */
export const mostWhole = 120;

/** Rows above and below those in sight, so that scrolling finds them made. */
const spare = 12;

export interface RowWindow {
  /** The index of the first row in the document. */
  readonly first: number;
  /** The index after the last one. */
  readonly end: number;
}

interface Sight {
  readonly count: number;
  /** In pixels; how far the first row is above the upper edge. */
  readonly scrolled: number;
  /** In pixels. */
  readonly height: number;
  readonly rowHeight: number;
}

export function windowOf({ count, scrolled, height, rowHeight }: Sight): RowWindow {
  if (count <= mostWhole) return { first: 0, end: count };
  const top = Math.floor(Math.max(0, scrolled) / rowHeight);
  const shown = Math.ceil(height / rowHeight);
  const first = Math.max(0, Math.min(top, count - shown) - spare);
  return { first, end: Math.min(count, top + shown + spare) };
}
