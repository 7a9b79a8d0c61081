/**
 * What undici brings into the bundles. Its parts for HTTP/2, form data and processors without SIMD, which it loads and the
 * gateway never uses, stay out: 180 KB, and with the first of them Node's own http2. Its compiled parser becomes a file.
 */
import { createRequire } from 'node:module';
import type { OnLoadResult, Plugin } from 'esbuild';

const require = createRequire(import.meta.url);

const unusedParts =
  /undici.lib.(dispatcher.client-h2|web.fetch.(body|formdata)|web.webidl.index|llhttp.llhttp-wasm)\.js$/;

/** Tables of the HTTP parser. Most are for those who build it, and are made anew at each start. */
const parserTables = /undici.lib.llhttp.constants\.js$/;

/** The tables that undici's client reads. */
export const usedTables = ['TYPE', 'ERROR'];

/** The parser in base64, which as bytes is a quarter less. */
const parserText = /undici.lib.llhttp.llhttp_simd-wasm\.js$/;
const parserFile = 'llhttp.wasm';

export const undiciParts: Plugin = {
  name: 'undici-parts',
  setup({ onLoad, onResolve }) {
    const contents =
      "module.exports = () => { throw new Error('This part of undici is not in the bundle.') };";
    onLoad({ filter: unusedParts }, () => ({ contents }));
    onLoad({ filter: parserTables }, ({ path }) => onlyUsedTables(path));
    onLoad({ filter: parserText }, ({ path }) => ({
      contents: `module.exports = require('node:fs').readFileSync(require.resolve(require('${parserFile}')));`,
      pluginData: path,
    }));
    onResolve({ filter: /^llhttp\.wasm$/ }, ({ path, pluginData }) => ({
      path,
      namespace: parserFile,
      pluginData,
    }));
    onLoad({ filter: /^/, namespace: parserFile }, ({ pluginData }) => ({
      contents: require(pluginData),
      loader: 'file',
    }));
  },
};

function onlyUsedTables(path: string): OnLoadResult {
  const tables: Readonly<Record<string, object>> = require(path);
  const used = Object.fromEntries(usedTables.map((name) => [name, tables[name]]));
  return { contents: `module.exports = ${JSON.stringify(used)};` };
}
