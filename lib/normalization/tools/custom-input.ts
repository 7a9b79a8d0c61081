/**
 * A custom tool at a target that knows only functions: its text is the one property of the arguments. Read back from JSON
 * that arrives in pieces.
 */
import { isJsonObject } from '../../core/formats/json-object.ts';
import { parseJson } from '../../core/formats/parse-json.ts';

/** The property that holds the text. */
export const inputName = 'input';

export const inputArguments = (text: string): string => JSON.stringify({ [inputName]: text });

export type InputReader = ReturnType<typeof createInputReader>;

const beginning = /^\s*\{\s*"input"\s*:\s*"/;

/** If the text has not begun within so many characters, the arguments have another form. */
const maxBeginning = 1_000;

export function createInputReader() {
  /** What has not been read. */
  let json = '';
  let state: 'before' | 'text' | 'other' = 'before';
  let isComplete = false;
  const begin = () => {
    const found = beginning.exec(json)?.[0];
    if (found !== undefined) {
      state = 'text';
      json = json.slice(found.length);
    } else if (json.length > maxBeginning) state = 'other';
  };
  return {
    /** Takes a piece of the arguments. Gives the part of the text that it completes. */
    add(piece: string) {
      if (isComplete) return '';
      json += piece;
      if (state === 'before') begin();
      if (state !== 'text') return '';
      const end = endOfText(json);
      const text = unescaped(json.slice(0, end.at));
      json = json.slice(end.at);
      isComplete = end.isQuote;
      return text;
    },
    /** Whether the text is complete. */
    isComplete: () => isComplete,
    /** After the last piece: what is left of the text. */
    end: () => (state === 'text' ? '' : otherText(json)),
  };
}

/** The end of the text, or of its last character that is there whole. A pair of surrogates is one character. */
function endOfText(json: string): { readonly at: number; readonly isQuote: boolean } {
  const special = /["\\]/g;
  let high: number | undefined;
  const before = (at: number) => ({
    at: high !== undefined && high + 6 === at ? high : at,
    isQuote: false,
  });
  for (let found = special.exec(json); found; found = special.exec(json)) {
    const { index: at } = found;
    if (found[0] === '"') return { at, isQuote: true };
    const length = json[at + 1] === 'u' ? 6 : 2;
    if (at + length > json.length) return before(at);
    if (/^\\ud[89ab]/i.test(json.slice(at, at + 4))) high = at;
    special.lastIndex = at + length;
  }
  return before(json.length);
}

/** Models also write line breaks as they are, which JSON does not allow. */
function unescaped(escaped: string): string {
  const valid = escaped.replace(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1));
  const text = parseJson(`"${valid}"`);
  return typeof text === 'string' ? text : escaped;
}

/** Of arguments in another form: the only text in them, else all of them. */
function otherText(json: string): string {
  const value = parseJson(json);
  if (typeof value === 'string') return value;
  if (!isJsonObject(value)) return json;
  const [only = '', ...others] = Object.values(value);
  const text = value[inputName] ?? (others.length === 0 ? only : undefined);
  return typeof text === 'string' ? text : json;
}
