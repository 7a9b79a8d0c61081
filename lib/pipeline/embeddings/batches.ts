/** Divides the texts of a request among calls. */

export interface Batch {
  /** The index of its first text in the request. */
  readonly start: number;
  readonly texts: readonly string[];
}

interface BatchLimits {
  readonly maxTexts: number;
  readonly maxBytes: number;
}

/** In order. A text that is too long for any call goes alone: upstream says so. */
export function batchesOf(texts: readonly string[], { maxTexts, maxBytes }: BatchLimits): readonly Batch[] {
  const batches: Batch[] = [];
  let start = 0;
  let bytes = 0;
  for (const [index, text] of texts.entries()) {
    const size = Buffer.byteLength(text);
    if (index > start && (index - start === maxTexts || bytes + size > maxBytes)) {
      batches.push({ start, texts: texts.slice(start, index) });
      start = index;
      bytes = 0;
    }
    bytes += size;
  }
  return [...batches, { start, texts: texts.slice(start) }];
}
