/** Forms with files, as their bytes are sent. */

export const boundary = 'boundary-of-a-test';
export const formType = `multipart/form-data; boundary=${boundary}`;

export interface FormPart {
  readonly name: string;
  /** Present for a file. */
  readonly filename?: string;
  readonly value: string | Uint8Array;
}

export const formBytes = (...parts: readonly FormPart[]): Buffer =>
  Buffer.concat([...parts.flatMap(partBytes), Buffer.from(`--${boundary}--\r\n`)]);

function partBytes({ name, filename, value }: FormPart): readonly Uint8Array[] {
  const file = filename === undefined ? '' : `; filename="${filename}"`;
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${file}\r\n\r\n`;
  return [Buffer.from(head), Buffer.from(value), Buffer.from('\r\n')];
}
