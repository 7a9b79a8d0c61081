/**
 * What of undici stays out of the bundles: its parts for HTTP/2, form data and processors without SIMD, which it loads
 * and the gateway never uses, 180 KB, and with the first of them Node's own http2.
 */
import type { Plugin } from 'esbuild';

const unusedParts =
  /undici.lib.(dispatcher.client-h2|web.fetch.(body|formdata)|web.webidl.index|llhttp.llhttp-wasm)\.js$/;

export const withoutUnusedParts: Plugin = {
  name: 'without-unused-parts',
  setup({ onLoad }) {
    const contents =
      "module.exports = () => { throw new Error('This part of undici is not in the bundle.') };";
    onLoad({ filter: unusedParts }, () => ({ contents }));
  },
};
