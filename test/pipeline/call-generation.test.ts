/** What a call of a target keeps in memory while its answer is streamed. */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { callGeneration } from '../../lib/pipeline/generation/call-generation.ts';
import { createRequestMedia } from '../../lib/pipeline/media/request-media.ts';
import { hostDialect } from '../../lib/protocols/openai-chat/dialect.ts';
import { createOpenaiChat } from '../../lib/protocols/openai-chat/protocol.ts';
import type { Provider } from '../../lib/providers/provider.ts';
import { connectionsBy } from '../harness/connections.ts';
import { testAttempt } from '../harness/ledger.ts';
import { testRequest, testTarget } from '../harness/matrix/model.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const imageBytes = 16 * 1024 * 1024;

function heapBytes(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

test('fetched media are released when the answer has begun', async () => {
  const generation = {
    protocol: createOpenaiChat(hostDialect),
    takesImageUrls: false,
    rules: { parameters: [], messages: [] },
  };
  const provider: Provider = {
    name: 'acme',
    isConfigured: () => true,
    baseUrl: () => 'https://acme.example/v1',
    authorize: (request) => request,
    generation,
  };
  const chunk = { choices: [{ index: 0, delta: { role: 'assistant', content: 'Hello' } }] };
  const content = [{ type: 'image' as const, url: 'https://images.example/large.png' }];
  const request = testRequest({}, { stream: true, messages: [{ role: 'user', content }] });
  const before = heapBytes();
  const answer = await callGeneration(
    { provider, generation, target: testTarget(), request },
    {
      connections: connectionsBy(async () => {
        async function* body() {
          yield Buffer.from(`data: ${JSON.stringify(chunk)}\n\n`);
          await new Promise(() => {});
        }
        return { status: 200, headers: { 'content-type': 'text/event-stream' }, body: body() };
      }),
      media: createRequestMedia(async () => ({
        mediaType: 'image/png',
        blocks: [Buffer.alloc(imageBytes, 65)],
        length: imageBytes,
      })),
      signal: new AbortController().signal,
      tenant: undefined,
      firstOutputMs: undefined,
      attempt: testAttempt(),
    },
  );
  expect(heapBytes() - before).toBeLessThan(imageBytes / 2);
  expect(answer.sandbox).toBe(false);
});
