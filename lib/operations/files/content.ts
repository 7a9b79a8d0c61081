/** The bytes of a file, or a range of them: `GET /v1/files/{file_id}/content`. */
import * as z from 'zod/mini';
import type { Endpoint } from '../../core/endpoint.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { readParts } from '../../core/file-bytes.ts';
import { fileIdField, findFile } from './file-object.ts';
import type { FilesParts } from './files-parts.ts';
import { readRange } from './range.ts';

export const schema = z.object({ file_id: fileIdField });

interface Asked {
  readonly id: string;
  /** The header. */
  readonly range: string | undefined;
}

export function fileContentEndpoint(parts: FilesParts): Endpoint<typeof schema, Asked> {
  return {
    schema,
    read: ({ file_id: id }, _, header) => ({ id, range: header?.('range') }),
    async answer({ input, key }) {
      const file = await findFile(parts, key?.tenant ?? '', input.id);
      const asked = readRange(input.range, file.bytes);
      const range = asked ?? { start: 0, end: file.bytes };
      const length = range.end - range.start;
      const { maxAnswerBytes: max } = parts;
      if (max !== undefined && length > max) {
        const message = `The file has ${file.bytes} bytes, and at most ${max} can be sent at once: ask for ranges of it with the header Range.`;
        throw new GatewayError('invalid_request', message, { param: 'range' });
      }
      return {
        type: 'bytes',
        status: asked ? 206 : 200,
        contentType: 'application/octet-stream',
        length,
        bytes: readParts(file.parts, parts.bytes, range),
        headers: {
          'accept-ranges': 'bytes',
          'content-disposition': `attachment; filename*=UTF-8''${encodeName(file.filename)}`,
          ...(asked && { 'content-range': `bytes ${range.start}-${range.end - 1}/${file.bytes}` }),
        },
      };
    },
  };
}

/** As RFC 5987 has it. */
const encodeName = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  );
