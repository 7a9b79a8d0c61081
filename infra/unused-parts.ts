/**
 * What of undici stays out of the bundles: its parts for HTTP/2, form data and processors without SIMD, which it loads
 * and the gateway never uses, 180 KB, and with the first of them Node's own http2.
 */
import { pathToFileURL } from 'node:url';
import type { OnLoadResult, Plugin } from 'esbuild';

const unusedParts =
  /undici.lib.(dispatcher.client-h2|web.fetch.(body|formdata)|web.webidl.index|llhttp.llhttp-wasm)\.js$/;

/** Tables of the HTTP parser. Most are for those who build it, and are made anew at each start. */
const parserTables = /undici.lib.llhttp.constants\.js$/;

/** The tables that undici's client reads. */
export const usedTables = ['TYPE', 'ERROR'];

export const withoutUnusedParts: Plugin = {
  name: 'without-unused-parts',
  setup({ onLoad }) {
    const contents =
      "module.exports = () => { throw new Error('This part of undici is not in the bundle.') };";
    onLoad({ filter: unusedParts }, () => ({ contents }));
    onLoad({ filter: parserTables }, ({ path }) => onlyUsedTables(path));
  },
};

async function onlyUsedTables(path: string): Promise<OnLoadResult> {
  const { default: tables }: { default: Readonly<Record<string, object>> } = await import(
    pathToFileURL(path).href
  );
  const used = Object.fromEntries(usedTables.map((name) => [name, tables[name]]));
  return { contents: `module.exports = ${JSON.stringify(used)};` };
}
