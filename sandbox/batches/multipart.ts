/** Reads bodies of `multipart/form-data`, as a provider does. */

/** A part of a form. */
export interface FormPart {
  readonly name: string;
  /** Absent: it is no file. */
  readonly filename?: string;
  readonly bytes: Buffer;
}

const lineEnd = '\r\n';

/** The parts in their order; undefined where the body is no form. */
export function readForm(contentType: string, body: Buffer): readonly FormPart[] | undefined {
  const [, quoted, plain] =
    /^multipart\/form-data;.*\bboundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) return undefined;
  const parts: FormPart[] = [];
  const opening = `--${boundary}`;
  let at = body.indexOf(opening);
  while (at >= 0) {
    const start = at + opening.length;
    if (body.subarray(start, start + 2).toString() === '--') return parts;
    const end = body.indexOf(`${lineEnd}${opening}`, start);
    const part = readPart(body.subarray(start + lineEnd.length, end));
    if (end < 0 || part === undefined) return undefined;
    parts.push(part);
    at = end + lineEnd.length;
  }
  return undefined;
}

function readPart(bytes: Buffer): FormPart | undefined {
  const headEnd = bytes.indexOf(lineEnd + lineEnd);
  const head = bytes.subarray(0, Math.max(headEnd, 0)).toString('utf8');
  const disposition = /^content-disposition: *form-data;(.*)$/im.exec(head)?.[1] ?? '';
  const field = (name: string) => new RegExp(`(?:^|[; ])${name}="([^"]*)"`).exec(disposition)?.[1];
  const name = field('name');
  if (headEnd < 0 || name === undefined) return undefined;
  const filename = field('filename');
  return { name, ...(filename !== undefined && { filename }), bytes: bytes.subarray(headEnd + 4) };
}
