/** Recordings that the sandbox hears: the form that they come in, and what they say. */
import { type FormPart, readForm } from './batches/multipart.ts';
import type { SandboxRequest } from './exchange.ts';
import { textOf } from './json.ts';

export interface Form {
  readonly parts: readonly FormPart[];
  readonly fields: ReadonlyMap<string, readonly string[]>;
  readonly file: FormPart | undefined;
}

/** Undefined for what is no form. */
export function openForm({ headers, bytes = Buffer.alloc(0) }: SandboxRequest): Form | undefined {
  const parts = readForm(textOf(headers['content-type']), bytes);
  if (!parts) return undefined;
  const fields = new Map<string, string[]>();
  for (const { name, filename, bytes: value } of parts)
    if (filename === undefined) {
      const base = name.replace(/\[\]$/, '');
      fields.set(base, [...(fields.get(base) ?? []), value.toString()]);
    }
  return { parts, fields, file: parts.find(({ filename }) => filename !== undefined) };
}

export const one = ({ fields }: Form, name: string): string | undefined => fields.get(name)?.[0];

/** What every recording says, each word as long as the others. */
const said = 'The lamp turns all night. Ships see it from far away. Nobody sleeps.';

/** Of a WAV by its header, of others at 16 kbit/s. */
function secondsOf(bytes: Buffer): number {
  if (bytes.toString('latin1', 0, 4) !== 'RIFF') return Math.max(1, bytes.length / 2_000);
  return (bytes.length - 44) / bytes.readUInt32LE(28);
}

export interface Heard {
  readonly text: string;
  readonly duration: number;
  readonly words: readonly { readonly word: string; readonly start: number; readonly end: number }[];
  readonly segments: readonly { readonly text: string; readonly start: number; readonly end: number }[];
}

export function hear(bytes: Buffer, text = said): Heard {
  const duration = secondsOf(bytes);
  const all = text.split(' ');
  const each = duration / all.length;
  const words = all.map((word, index) => ({ word, start: index * each, end: (index + 1) * each }));
  let at = 0;
  const segments = text.split(/(?<=\.) /).map((sentence) => {
    const from = at;
    at += sentence.split(' ').length;
    return { text: ` ${sentence}`, start: from * each, end: at * each };
  });
  return { text, duration, words, segments };
}

/** Words as they are heard: together they are the text. */
export const piecesOf = (text: string): readonly string[] => text.split(/(?= )/);
