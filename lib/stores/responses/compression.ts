/** JSON of stored responses, compressed. */
import { promisify } from 'node:util';
import { lazy } from '../../async/lazy.ts';

// Loaded with the first response that is stored.
const zlib = lazy(() => process.getBuiltinModule('node:zlib'));
const compressing = lazy(() => promisify(zlib().brotliCompress));
const decompressing = lazy(() => promisify(zlib().brotliDecompress));

/** Low qualities compress a conversation nearly as well as the default one, in a fraction of the time. */
export const compress = (json: Uint8Array): Promise<Buffer> =>
  compressing()(json, { params: { [zlib().constants.BROTLI_PARAM_QUALITY]: 3 } });

/** Rejects above so many bytes. */
export const decompress = (data: Uint8Array, maxBytes: number): Promise<Buffer> =>
  decompressing()(data, { maxOutputLength: maxBytes });
