/**
 * Takes what is imported of Node's own modules from them directly. For an `import` of one Node reads each of its exports, which loads
 * modules that nothing here uses: several of `node:util` and `node:crypto`, and fetch for `node:http`.
 */
import type { Plugin } from 'esbuild';

const namespace = 'node-parts';

export const nodeParts: Plugin = {
  name: 'node-parts',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace, sideEffects: false } : undefined,
    );
    onLoad({ filter: /./, namespace }, ({ path }) => ({ contents: partsOf(path) }));
  },
};

/** A module that exports the same. An export that is not imported is left out, and is not read. */
function partsOf(path: string): string {
  const names = Object.keys(process.getBuiltinModule(path) ?? {}).filter((name) => /^\w+$/.test(name));
  return [
    'const read = (name) => all()[name];',
    `const all = () => process.getBuiltinModule(${JSON.stringify(path)});`,
    ...names.map(
      (name) => `const _${name} = /* @__PURE__ */ read('${name}'); export { _${name} as ${name} };`,
    ),
    'export default /* @__PURE__ */ all();',
  ].join('\n');
}
