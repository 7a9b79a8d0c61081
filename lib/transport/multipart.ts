/** Writes forms (`multipart/form-data`) for providers. */
import { randomUUID } from 'node:crypto';
import type { BodyPieces, FormFile } from '../core/ports/http.ts';

/**
 * What is around the contents of a form. Names of headers are written as other clients do: Together was seen to find no field in a form
 * that was written otherwise.
 */
export function createFormFrame() {
  const boundary = `form-${randomUUID()}`;
  const part = (name: string, more = '') =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"${more}\r\n`;
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    field: (name: string, value: string): string => `${part(name)}\r\n${value}\r\n`,
    /** What stands before the bytes of a file. */
    file: ({ name, filename, type }: Omit<FormFile, 'bytes'>): string =>
      `${part(name, `; filename="${quoted(filename)}"`)}Content-Type: ${type}\r\n\r\n`,
    /** After the bytes of each file. */
    afterFile: '\r\n',
    end: `--${boundary}--\r\n`,
  };
}

/** As browsers write a name. Source: HTML standard, "multipart/form-data encoding algorithm". */
const quoted = (name: string): string =>
  name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');

/**
 * A form with what a JSON body would have, and files. Fields come first: a server that reads the files as they arrive then knows what
 * they are for. A list is `name[]`, a member `name[member]`, as OpenAI's clients write them (openai 7.57.0, `internal/uploads`).
 */
export function formBody(
  fields: object,
  files: readonly FormFile[],
  listName = (name: string) => `${name}[]`,
): { readonly headers: Readonly<Record<string, string>>; readonly body: BodyPieces } {
  const frame = createFormFrame();
  const texts = Object.entries(fields).flatMap(([name, value]) => fieldsOf(name, value, listName));
  const before = Buffer.from(texts.map(([name, value]) => frame.field(name, value)).join(''));
  const pieces = [
    before,
    ...files.flatMap((file) => [Buffer.from(frame.file(file)), file.bytes, Buffer.from(frame.afterFile)]),
    Buffer.from(frame.end),
  ];
  const inWords = ({ type, bytes }: FormFile) => `${type}, ${bytes.length} bytes`;
  const filesInWords = [...Map.groupBy(files, ({ name }) => name)].map(([name, some]) => [
    name,
    some.length > 1 ? some.map(inWords) : some.map(inWords).join(),
  ]);
  return {
    headers: frame.headers,
    body: {
      byteLength: pieces.reduce((sum, { length }) => sum + length, 0),
      fields: { ...fields, ...Object.fromEntries(filesInWords) },
      pieces: () => pieces,
    },
  };
}

function fieldsOf(
  name: string,
  value: unknown,
  listName: (name: string) => string,
): readonly (readonly [name: string, value: string])[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((element) => fieldsOf(listName(name), element, listName));
  if (typeof value !== 'object') return [[name, String(value)]];
  return Object.entries(value).flatMap(([member, inner]) => fieldsOf(`${name}[${member}]`, inner, listName));
}
