/** JSON text as detectors read it: with its escapes as what they stand for, which would hide a word from them. */

export interface Readable {
  readonly text: string;
  /** Where a position of the text is in the JSON. */
  readonly at: (position: number) => number;
}

const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/** Also of text that is cut, or no JSON. */
export function withoutEscapes(json: string): Readable {
  if (!json.includes('\\')) return { text: json, at: (position) => position };
  const pieces: string[] = [];
  /** Where each escape ends: in the text, and in the JSON. */
  const shifts: { readonly text: number; readonly json: number }[] = [];
  let length = 0;
  let last = 0;
  for (const { 0: found, 1: hex, 2: single, index } of json.matchAll(/\\(?:u([\da-fA-F]{4})|([^u]))/gs)) {
    const before = json.slice(last, index);
    const meant =
      hex === undefined
        ? (controls[single ?? ''] ?? single ?? '')
        : String.fromCharCode(Number.parseInt(hex, 16));
    pieces.push(before, meant);
    length += before.length + meant.length;
    last = index + found.length;
    shifts.push({ text: length, json: last });
  }
  pieces.push(json.slice(last));
  return { text: pieces.join(''), at: (position) => positionIn(shifts, position) };
}

function positionIn(
  shifts: readonly { readonly text: number; readonly json: number }[],
  position: number,
): number {
  let low = 0;
  let high = shifts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((shifts[middle]?.text ?? 0) <= position) low = middle + 1;
    else high = middle;
  }
  const shift = shifts[low - 1] ?? { text: 0, json: 0 };
  return shift.json + (position - shift.text);
}
