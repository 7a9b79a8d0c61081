/**
 * Loaded before the Lambda runtime client: answers its request for its compiled part with one over HTTP. Built into one
 * file of JavaScript, because a process that has to strip types first would start later, and hide what is measured.
 */
import { registerHooks } from 'node:module';
import * as client from '../../harness/lambda/native-client.ts';

const moduleUrl = 'benchmark:native-client';

Reflect.set(globalThis, moduleUrl, client);

const hooks = registerHooks({
  resolve(specifier, context, next) {
    if (specifier !== './rapid-client.node') return next(specifier, context);
    return { url: moduleUrl, format: 'commonjs', shortCircuit: true };
  },
  load(url, context, next) {
    if (url !== moduleUrl) return next(url, context);
    // The function's own files are resolved as in Lambda, without hooks.
    hooks.deregister();
    const source = `module.exports = globalThis[${JSON.stringify(moduleUrl)}];`;
    return { format: 'commonjs', source, shortCircuit: true };
  },
});
