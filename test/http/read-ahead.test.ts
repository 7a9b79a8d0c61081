/** A request is read while its key is looked up. Errors in it are reported only to callers with a valid key. */
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { newApiKey } from '../../lib/core/names/api-key.ts';
import { operationNamed } from '../../lib/core/operations.ts';
import type { FoundApiKey } from '../../lib/core/ports/api-keys.ts';
import { earlyBodyBytes } from '../../lib/http/request/body-limit.ts';
import { startServer } from '../../server/http/server.ts';
import { loadInProcessEngine, type StreamingHandler } from '../../server/in-process.ts';

const operation = operationNamed('chat-completions');
const silent = { info() {}, warn() {}, error() {} };

let server: Awaited<ReturnType<typeof startServer>>;
let events: string[] = [];
let found: FoundApiKey | undefined;

beforeAll(async () => {
  const invoke = await loadInProcessEngine([operation], async () => {
    const { serve } = await import('../../lib/http/serve.ts');
    const endpoint = {
      schema: z.strictObject({ model: z.string() }),
      read: ({ model }: { model: string }) => model,
      prepare: (model: string) => void events.push(`prepare ${model}`),
      answer: async () => {
        events.push('answer');
        return { type: 'json' as const, body: {} };
      },
    };
    const findApiKey = async () => {
      events.push('look up');
      await new Promise((resolve) => setTimeout(resolve, 20));
      events.push('looked up');
      return found;
    };
    // Its own type knows the handler without a stream only.
    return serve(operation, endpoint, {
      findApiKey,
      log: silent,
      now: Date.now,
    }) as unknown as StreamingHandler;
  });
  server = await startServer({ operations: [operation], invoke, port: 0 });
});
afterAll(() => server.close());
beforeEach(() => {
  events = [];
  found = { id: 'key_1', hash: 'hash', tenant: 'tenant' };
});

const ask = (body: object, key = newApiKey(), encode?: (text: string) => Buffer<ArrayBuffer>) =>
  fetch(`${server.url}${operation.path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      ...(encode && { 'content-encoding': 'gzip' }),
    },
    body: encode?.(JSON.stringify(body)) ?? JSON.stringify(body),
  });

test('what the answer needs is prefetched before the key is found', async () => {
  expect((await ask({ model: 'a' })).status).toBe(200);
  expect(events).toEqual(['look up', 'prepare a', 'looked up', 'answer']);
});

test('an error in the body is reported only to a caller with a key, and prefetches nothing', async () => {
  expect((await ask({ model: 1 })).status).toBe(400);
  expect(events).toEqual(['look up', 'looked up']);
});

test('a caller without a key gets no error about the body', async () => {
  found = undefined;
  expect((await ask({ model: 1 })).status).toBe(401);
  expect((await ask({ model: 'a' })).status).toBe(401);
  expect(events).not.toContain('answer');
});

test('a larger body, or one that is compressed, is read only once the key is found', async () => {
  const model = 'a'.repeat(earlyBodyBytes);
  expect((await ask({ model })).status).toBe(200);
  expect(events).toEqual(['look up', 'looked up', `prepare ${model}`, 'answer']);
  events = [];
  expect((await ask({ model: 'a' }, newApiKey(), gzipSync)).status).toBe(200);
  expect(events).toEqual(['look up', 'looked up', 'prepare a', 'answer']);
});

test('an unauthenticated caller has nothing decompressed', async () => {
  found = undefined;
  const bomb = () => gzipSync(Buffer.alloc(100_000_000));
  expect((await ask({}, newApiKey(), bomb)).status).toBe(401);
});

test('text that cannot be a key causes no reads', async () => {
  expect((await ask({ model: 'a' }, 'no-key')).status).toBe(401);
  expect(events).toEqual([]);
});
