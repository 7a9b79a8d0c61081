/** JSON of stored responses, compressed. */
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';

const compressing = promisify(brotliCompress);
const decompressing = promisify(brotliDecompress);

/** Low qualities compress a conversation nearly as well as the default one, in a fraction of the time. */
export const compress = (json: Uint8Array): Promise<Buffer> =>
  compressing(json, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } });

/** Rejects above so many bytes. */
export const decompress = (data: Uint8Array, maxBytes: number): Promise<Buffer> =>
  decompressing(data, { maxOutputLength: maxBytes });
