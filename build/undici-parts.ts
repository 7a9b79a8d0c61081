/**
 * Reduces undici in the bundles. Its parts for HTTP/2, form data and processors without SIMD are loaded by undici but never
 * used by the gateway: they are left out, which saves 180 KB and Node's http2 module. Its compiled parser becomes a file.
 */
import { createRequire } from 'node:module';
import type { OnLoadResult, Plugin } from 'esbuild';

const require = createRequire(import.meta.url);

const unusedParts =
  /undici.lib.(dispatcher.client-h2|web.fetch.(body|formdata)|web.webidl.index|llhttp.llhttp-wasm)\.js$/;

/**
 * A tree of the names of headers in lower case, which is built at each start. A name that it does not have is put in
 * lower case as a text, which is faster.
 */
const headerNames = /undici.lib.core.tree\.js$/;

/** Tables of the HTTP parser. Most are only needed to build it, but would be computed at each start. */
const parserTables = /undici.lib.llhttp.constants\.js$/;

/** The tables that undici's client reads. */
export const usedTables = ['TYPE', 'ERROR'];

/** The parser in base64; as a binary file it is a quarter smaller. */
const parserText = /undici.lib.llhttp.llhttp_simd-wasm\.js$/;
const parserFile = 'llhttp.wasm';

export const undiciParts: Plugin = {
  name: 'undici-parts',
  setup({ onLoad, onResolve }) {
    const contents =
      "module.exports = () => { throw new Error('This part of undici is not in the bundle.') };";
    onLoad({ filter: unusedParts }, () => ({ contents }));
    onLoad({ filter: headerNames }, () => ({ contents: 'exports.tree = { lookup: () => null };' }));
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
