/** The request path reads like its design: few frames between a function's handler and the HTTP client, each name once. */

import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Model } from '../../lib/core/catalog/model.ts';
import type { Call } from '../../lib/core/endpoint.ts';
import type { Send } from '../../lib/core/ports/http.ts';
import { chatEndpoint } from '../../lib/operations/chat/endpoint.ts';
import { completionsEndpoint } from '../../lib/operations/completions/endpoint.ts';
import { embeddingsEndpoint } from '../../lib/operations/embeddings/endpoint.ts';
import { imagesEndpoint } from '../../lib/operations/images/endpoint.ts';
import { responsesEndpoint } from '../../lib/operations/responses/endpoint.ts';
import type { PipelineParts } from '../../lib/pipeline/parts.ts';
import { createProviders } from '../../lib/providers/registry.ts';
import { connectionsBy } from '../harness/connections.ts';
import { testModel } from '../harness/matrix/model.ts';
import { noNames } from '../harness/no-names.ts';

/** `handle` of lib/http/serve.ts before the operation; `send` and `sendOver` of the HTTP client after the pipeline. */
const framesAround = 3;

const lib = join(import.meta.dirname, '../../lib/');
const { stackTraceLimit } = Error;
beforeAll(() => {
  Error.stackTraceLimit = 50;
});
afterAll(() => {
  Error.stackTraceLimit = stackTraceLimit;
});

/** The pipeline in front of one model; the stack at the first request upstream goes to `seen`. */
function partsOf(model: Model, seen: (stack: string) => void): PipelineParts {
  const send: Send = async () => {
    seen(new Error('Here').stack ?? '');
    throw new Error('Nothing is sent.');
  };
  return {
    catalog: { find: async () => model, list: async () => [model], ...noNames },
    providers: createProviders(),
    connections: { ...connectionsBy(send), findAccess: async () => ({ apiKey: 'sk-example', settings: {} }) },
    health: { failed: () => {}, succeeded: () => {}, isFailing: () => false },
    now: Date.now,
  };
}

function callOf<Input>(input: Input): Call<Input> {
  const { signal } = new AbortController();
  const call = { input, requestId: 'request-1', signal, remainingMs: () => 0, facts: { attempts: [] } };
  return { ...call, admit: async () => {}, begin: () => {} };
}

/** Frames in lib, the innermost first: [function, file]. */
function framesOf(stack: string): readonly (readonly [string, string])[] {
  return stack.split('\n').flatMap((line) => {
    const [, name = '', file = ''] =
      /at (?:async )?(?:Object\.)?([\w.<>]+)(?: \[as \w+\])? \((?:file:\/\/)?(.*?):\d+/.exec(line) ?? [];
    return file.startsWith(lib) ? [[name, file.slice(lib.length)] as const] : [];
  });
}

const deployments = [{ provider: 'openai', region: 'global', upstreamId: 'one' }];
const embedding = { dimensions: { default: 4, allowed: [4], shortenedBy: 'host' } } as const;

test.each<[string, Partial<Model>, (parts: PipelineParts) => Promise<unknown>]>([
  [
    'chat completions',
    {},
    (parts) => {
      const endpoint = chatEndpoint({ ...parts, newId: (prefix) => `${prefix}1` });
      const body = { model: 'acme/one', messages: [{ role: 'user' as const, content: 'Hello' }] };
      return endpoint.answer(callOf(endpoint.read(body)));
    },
  ],
  [
    'text completions',
    {},
    (parts) => {
      const endpoint = completionsEndpoint({ ...parts, newId: (prefix) => `${prefix}1` });
      return endpoint.answer(callOf(endpoint.read({ model: 'acme/one', prompt: 'Hello' })));
    },
  ],
  [
    'Responses',
    {},
    (parts) => {
      const responses = { find: async () => undefined, put: async () => {}, delete: async () => false };
      const log = { info() {}, warn() {}, error() {} };
      const endpoint = responsesEndpoint({ ...parts, responses, log, newId: (prefix) => `${prefix}1` });
      const input = endpoint.read({ model: 'acme/one', input: 'Hello' });
      return endpoint.answer({ ...callOf(input), key: { id: 'key_1', hash: 'a-hash', tenant: 'acme' } });
    },
  ],
  [
    'embeddings',
    { endpoints: ['embeddings'], traits: { refuses: [], refusesWhileReasoning: [], embedding } },
    (parts) => {
      const endpoint = embeddingsEndpoint(parts);
      return endpoint.answer(callOf(endpoint.read({ model: 'acme/one', input: 'Hello' })));
    },
  ],
  [
    'images',
    { endpoints: ['images_generations'] },
    (parts) => {
      const endpoint = imagesEndpoint(parts);
      return endpoint.answer(callOf(endpoint.read({ model: 'acme/one', prompt: 'A fox' })));
    },
  ],
])('%s', async (_operation, changes, answer) => {
  const stacks: string[] = [];
  const model = testModel({ deployments, ...changes });
  await answer(partsOf(model, (stack) => stacks.push(stack))).catch(() => undefined);
  const frames = framesOf(stacks[0] ?? '');
  const names = frames.map(([name]) => name);
  expect(names).toContain('runTargets');
  expect(new Set(names).size, names.join(' < ')).toBe(names.length);
  expect(names.length + framesAround, names.join(' < ')).toBeLessThanOrEqual(10);
});
