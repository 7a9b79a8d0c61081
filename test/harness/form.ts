/** Forms with files, as their bytes are sent. */

export const boundary = 'boundary-of-a-test';
export const formType = `multipart/form-data; boundary=${boundary}`;

export interface FormPart {
  /** Absent: its head names none. */
  readonly name?: string;
  /** Present for a file. */
  readonly filename?: string;
  readonly value: string | Uint8Array;
}

export const formBytes = (...parts: readonly FormPart[]): Buffer =>
  Buffer.concat([...parts.flatMap(partBytes), Buffer.from(`--${boundary}--\r\n`)]);

function partBytes({ name, filename, value }: FormPart): readonly Uint8Array[] {
  const file = filename === undefined ? '' : `; filename="${filename}"`;
  const named = name === undefined ? '' : `; name="${name}"`;
  const head = `--${boundary}\r\ncontent-disposition: form-data${named}${file}\r\n\r\n`;
  return [Buffer.from(head), Buffer.from(value), Buffer.from('\r\n')];
}
