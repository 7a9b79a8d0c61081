/** One request in, one answer out: the order of the steps, and what is recorded at the end. */
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { Call } from '../../lib/core/endpoint.ts';
import { GatewayError } from '../../lib/core/errors/errors.ts';
import { newApiKey } from '../../lib/core/names/api-key.ts';
import { type OperationName, operationNamed } from '../../lib/core/operations.ts';
import type { FoundApiKey } from '../../lib/core/ports/api-keys.ts';
import { earlyBodyBytes } from '../../lib/http/request/body-limit.ts';
import { startServer } from '../../server/http/server.ts';
import { loadInProcessEngine } from '../../server/in-process.ts';

const secret = newApiKey();
let events: unknown[];
/** The steps up to the answer. */
let steps: string[];
let found: FoundApiKey | undefined;
beforeEach(() => {
  events = [];
  steps = [];
  found = { id: 'key_1', hash: 'hash', tenant: 'acme' };
});

type Answering = (call: Call<string>) => Promise<void>;

/** Serves one operation for the length of one request. */
async function ask(
  name: OperationName,
  init: RequestInit,
  answering: Answering = async () => {},
  path = operationNamed(name).path,
) {
  const operation = operationNamed(name);
  const invoke = await loadInProcessEngine([operation], async () => {
    const { serve } = await import('../../lib/http/serve.ts');
    const schema = z.object({ model: z.optional(z.string()), limit: z.optional(z.string()) });
    const endpoint = {
      schema,
      read: ({ model, limit }: z.output<typeof schema>) => model ?? `limit ${limit}`,
      prepare: (input: string) => void steps.push(`prepare ${input}`),
      answer: async (call: Call<string>) => {
        steps.push('answer');
        events.push(`answer ${call.input}`);
        Object.assign(call.facts, { model: 'a/b' });
        call.facts.attempts.push({ provider: 'a', model: 'a/b', region: 'global', at: 0, inputTokens: 1 });
        call.begin();
        await answering(call);
        return { type: 'json' as const, body: {}, headers: { 'x-own': 'endpoint' } };
      },
    };
    const parts = {
      findApiKey: async () => {
        steps.push('look up');
        await new Promise((resolve) => setTimeout(resolve, 20));
        steps.push('looked up');
        return found;
      },
      log: { info() {}, warn() {}, error() {} },
      now: Date.now,
      openMeter: ({ id }: { id: string }, requestId: string) => {
        events.push(`meter of ${id} for ${requestId === '' ? 'nothing' : 'a request'}`);
        return {
          check: async () => {},
          admit: async () => void events.push('admit'),
          headers: () => ({ 'x-limit': 'yes', 'x-own': 'meter' }),
          begin: (request: object | undefined) => void events.push(['begin', request]),
          handOver: async () => undefined,
          finish: async (request: object | undefined) => void events.push(['finish', request]),
        };
      },
      noteKeyUse: async ({ id }: { id: string }) => void events.push(`used ${id}`),
    };
    return serve(operation, endpoint, parts);
  });
  const server = await startServer({ operations: [operation], invoke, port: 0 });
  try {
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
    const response = await fetch(`${server.url}${path}`, { headers, ...init });
    return { status: response.status, headers: response.headers, body: await response.json() };
  } finally {
    await server.close();
  }
}

const chat = { method: 'POST', body: '{"model":"m"}' };

test('a request is counted from its start to its end, once', async () => {
  const one = { tokens: 1, amount: 1 };
  const { status, headers } = await ask('chat-completions', chat, async ({ admit }) => {
    await admit(() => ({ fixed: one, perOutputToken: one, output: { max: 1, min: 1 } }));
  });
  expect(status).toBe(200);
  expect([headers.get('x-limit'), headers.get('x-own')]).toEqual(['yes', 'endpoint']);
  const known = { tenant: 'acme', key: 'key_1', status: 200, model: 'a/b' };
  expect(events).toEqual([
    'meter of key_1 for a request',
    'answer m',
    ['begin', expect.objectContaining(known)],
    'admit',
    ['finish', expect.objectContaining(known)],
    'used key_1',
  ]);
});

test('a request that fails is counted with its error, and its caller reads the limits', async () => {
  const { status, headers } = await ask('chat-completions', chat, async () => {
    throw new GatewayError('upstream_overloaded', 'It is busy.', { retryAfterMs: 3_000 });
  });
  expect([status, headers.get('x-limit'), headers.get('retry-after')]).toEqual([503, 'yes', '3']);
  const finished = { status: 503, error: 'provider_overloaded' };
  expect(events.slice(-2)).toEqual([['finish', expect.objectContaining(finished)], 'used key_1']);
});

test('the endpoint reads session, id, key and time of a request', async () => {
  let seen: Partial<Call<string>> = {};
  const authorization = `Bearer ${secret}`;
  const headers = {
    authorization,
    'content-type': 'application/json',
    'x-gateway-session-id': 'session-1',
  };
  const { headers: answered } = await ask('chat-completions', { ...chat, headers }, async (call) => {
    seen = call;
    expect(call.remainingMs()).toBeGreaterThan(800_000);
    expect(call.signal.aborted).toBe(false);
  });
  expect(seen).toMatchObject({ sessionId: 'session-1', key: { id: 'key_1' }, input: 'm' });
  expect(answered.get('x-request-id')).toBe(seen.requestId);
});

test('a failure that no one foresaw is a 500 without its words', async () => {
  const { status, body } = await ask('chat-completions', chat, () => Promise.reject(new Error('a secret')));
  expect([status, JSON.stringify(body)]).toEqual([500, expect.not.stringContaining('secret')]);
});

test('a tenant that is suspended starts nothing', async () => {
  found = { id: 'key_1', hash: 'hash', tenant: 'acme', tenantPolicy: { suspended: true } };
  expect((await ask('chat-completions', chat)).status).toBe(403);
  // The key was used nevertheless.
  expect(events).toEqual(['used key_1']);
});

test('a key that is not known starts nothing', async () => {
  found = undefined;
  const { status, headers } = await ask('chat-completions', chat);
  expect([status, headers.get('www-authenticate'), events]).toEqual([401, 'Bearer', []]);
});

test('an operation for everyone needs no key, and has no meter', async () => {
  const { status } = await ask('models', { method: 'GET', headers: {} }, undefined, '/v1/models?limit=5');
  expect([status, events]).toEqual([200, ['answer limit 5']]);
});

describe('a request is read while its key is looked up', () => {
  const post = async (body: object, { key = secret, compressed = false } = {}) => {
    steps = [];
    const text = JSON.stringify(body);
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const { status } = await ask('chat-completions', {
      method: 'POST',
      headers: { ...headers, ...(compressed && { 'content-encoding': 'gzip' }) },
      body: compressed ? gzipSync(text) : text,
    });
    return status;
  };

  test('what the answer needs is prefetched before the key is found', async () => {
    expect(await post({ model: 'a' })).toBe(200);
    expect(steps).toEqual(['look up', 'prepare a', 'looked up', 'answer']);
  });

  test('an error in the body is reported only to a caller with a key, and prefetches nothing', async () => {
    expect(await post({ model: 1 })).toBe(400);
    expect(steps).toEqual(['look up', 'looked up']);
  });

  test('a caller without a key gets no error about the body', async () => {
    found = undefined;
    expect(await post({ model: 1 })).toBe(401);
    expect(await post({ model: 'a' })).toBe(401);
    expect(steps).not.toContain('answer');
  });

  test('a larger body, or one that is compressed, is read only once the key is found', async () => {
    const model = 'a'.repeat(earlyBodyBytes);
    expect(await post({ model })).toBe(200);
    expect(steps).toEqual(['look up', 'looked up', `prepare ${model}`, 'answer']);
    expect(await post({ model: 'a' }, { compressed: true })).toBe(200);
    expect(steps).toEqual(['look up', 'looked up', 'prepare a', 'answer']);
  });

  test('an unauthenticated caller has nothing decompressed', async () => {
    found = undefined;
    const bomb = gzipSync(Buffer.alloc(100_000_000));
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
    const init = { method: 'POST', headers: { ...headers, 'content-encoding': 'gzip' }, body: bomb };
    expect((await ask('chat-completions', init)).status).toBe(401);
  });

  test('text that cannot be a key causes no reads', async () => {
    expect(await post({ model: 'a' }, { key: 'no-key' })).toBe(401);
    expect(steps).toEqual([]);
  });
});
