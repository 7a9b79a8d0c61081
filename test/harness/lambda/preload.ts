/**
 * Loaded before the runtime client starts: answers its request for the compiled part with `native-client.ts`, so that
 * nothing has to be compiled.
 */
import { registerHooks } from 'node:module';

registerHooks({
  resolve(specifier, context, nextResolve) {
    if (specifier !== './rapid-client.node') return nextResolve(specifier, context);
    const url = new URL('./native-client.ts', import.meta.url).href;
    return { url, format: 'module-typescript', shortCircuit: true };
  },
});
