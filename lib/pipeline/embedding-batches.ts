/** How the texts of a request are divided among calls. */

export interface Batch {
  /** The place of its first text in the request. */
  readonly start: number;
  readonly texts: readonly string[];
}

export interface BatchLimits {
  readonly maxTexts: number;
  readonly maxBytes: number;
}

/** In order. A text that is too long for any call goes alone: upstream says so. */
export function batchesOf(texts: readonly string[], { maxTexts, maxBytes }: BatchLimits): readonly Batch[] {
  const batches: Batch[] = [];
  let start = 0;
  let bytes = 0;
  for (const [place, text] of texts.entries()) {
    const size = Buffer.byteLength(text);
    if (place > start && (place - start === maxTexts || bytes + size > maxBytes)) {
      batches.push({ start, texts: texts.slice(start, place) });
      start = place;
      bytes = 0;
    }
    bytes += size;
  }
  return [...batches, { start, texts: texts.slice(start) }];
}
