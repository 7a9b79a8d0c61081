/** Damaged bytes over a real connection: a provider's call gives a valid answer or GatewayError, in time. */

import { afterAll, describe, expect, test } from 'vitest';
import type { GenerationEvent } from '../../lib/core/generation/events.ts';
import type { GenerationProtocol } from '../../lib/core/generation/original/protocol.ts';
import type { SharedCache } from '../../lib/core/ports/shared-cache.ts';
import { callGeneration } from '../../lib/pipeline/generation/call-generation.ts';
import { createRequestMedia } from '../../lib/pipeline/media/request-media.ts';
import type { Connections } from '../../lib/pipeline/use/account.ts';
import type { Provider } from '../../lib/providers/provider.ts';
import { createHttpClient } from '../../lib/transport/http-client/http-client.ts';
import { testAttempt } from '../harness/ledger.ts';
import { testRequest, testTarget } from '../harness/matrix/model.ts';
import { startUpstream } from '../harness/upstream.ts';
import { use } from '../harness/use.ts';
import { fuzz } from './fuzz.ts';
import { contentOf, type Decoded, faultsOf } from './judge.ts';
import { everything, loadSamples } from './samples.ts';
import type { Target } from './targets/target.ts';

const samples = await loadSamples();
const seed = Number(process.env.FUZZ_SEED ?? 20_260_101);
const client = createHttpClient();

const upstream = use(() => startUpstream());
afterAll(async () => {
  await client.close();
});

const emptyCache: SharedCache = {
  find: async () => undefined,
  set: async () => {},
  delete: async () => {},
  claim: async () => false,
};

const connections: Connections = {
  send: client.send,
  findAccess: async () => ({ settings: {} }),
  fetchMedia: () => Promise.reject(new Error('No image was asked for.')),
  sharedCache: emptyCache,
  maxCacheSeconds: 3600,
  timeouts: {},
};

interface UpstreamAnswer {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly stream: boolean;
}

async function decodeAnswer(
  protocol: GenerationProtocol,
  { bytes, contentType, stream }: UpstreamAnswer,
): Promise<Decoded> {
  upstream.script((_request, response) => {
    response.writeHead(200, { 'content-type': contentType }).end(bytes);
  });
  const generation = { protocol, takesImageUrls: true, rules: { parameters: [], messages: [] } };
  const provider: Provider = {
    name: 'acme',
    isConfigured: () => true,
    baseUrl: () => upstream.url,
    authorize: (request) => request,
    generation,
  };
  const request = testRequest({}, { stream });
  const events: GenerationEvent[] = [];
  const signal = new AbortController().signal;
  try {
    const call = { provider, generation, target: testTarget(), request };
    const answer = await callGeneration(call, {
      connections,
      media: createRequestMedia(connections.fetchMedia),
      signal,
      firstOutputMs: undefined,
      tenant: undefined,
      attempt: testAttempt(),
    });
    for await (const list of answer.events) events.push(...list);
    return { events, error: undefined };
  } catch (error) {
    return { events, error };
  }
}

/** No input of the fuzzer is handled wrongly. */
async function expectNoHarm(target: Target, runs: number): Promise<void> {
  const { finding } = await fuzz(target, { seed, ms: 2_000, runs });
  expect(finding && { faults: finding.faults, input: finding.input.toString().slice(0, 2_000) }).toBe(
    undefined,
  );
}

describe.each(samples)('$name', ({ name, protocol, script, bytes }) => {
  const contentType = script.streamType;

  test('damaged bytes of a stream are valid or an error', async () => {
    const types = [contentType, contentType, contentType, 'application/json', 'text/html'];
    const check = async (input: Buffer) => {
      const as = types[input.length % types.length] ?? contentType;
      return faultsOf(await decodeAnswer(protocol, { bytes: input, contentType: as, stream: true }));
    };
    await expectNoHarm({ name, samples: bytes.map((one) => Buffer.from(one)), check }, 300);
  });

  test('damaged bytes of a body are valid or an error', async () => {
    const body = Buffer.from(JSON.stringify(script.body(everything)));
    const answer = { contentType: 'application/json', stream: false };
    const check = async (input: Buffer) =>
      faultsOf(await decodeAnswer(protocol, { bytes: input, ...answer }));
    await expectNoHarm({ name, samples: [body], check }, 200);
  });

  test('a stream that is cut at any byte is an error or complete', async () => {
    const whole = Buffer.concat(script.stream(everything));
    const said = contentOf(
      (await decodeAnswer(protocol, { bytes: whole, contentType, stream: true })).events,
    );
    for (let length = 0; length < whole.length; length += 17) {
      const cut = await decodeAnswer(protocol, {
        bytes: whole.subarray(0, length),
        contentType,
        stream: true,
      });
      expect(faultsOf(cut)).toEqual([]);
      if (cut.error === undefined) expect(contentOf(cut.events)).toBe(said);
    }
  });

  test('values nested a hundred thousand levels deep are at most an error', async () => {
    const depth = 100_000;
    const deep = `${'{"a":['.repeat(depth)}${']}'.repeat(depth)}`;
    const text = JSON.stringify(script.body(everything))
      .replace('{"city":"Oslo"}', deep)
      .replace('"Let me see."', deep);
    const upstreamAnswer = { bytes: Buffer.from(text), contentType: 'application/json', stream: false };
    expect(faultsOf(await decodeAnswer(protocol, upstreamAnswer))).toEqual([]);
  });
});
