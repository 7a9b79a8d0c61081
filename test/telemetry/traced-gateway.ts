/** A gateway that sends spans and metrics to a strict receiver. Its models lead to one server of the test, at two providers. */

import { createCatalogStore } from '../../lib/stores/catalog/catalog.ts';
import { connectDatabase } from '../../local/database-call.ts';
import { chatAnswer, chatChunk, chatUsage } from '../harness/chat-answers.ts';
import { databaseEndpoint } from '../harness/gateways/environment.ts';
import { startTestGateway, type TestGateway } from '../harness/gateways/gateway.ts';
import { type Receiver, startReceiver } from '../harness/otlp/receiver.ts';
import { textModel } from '../harness/text-model.ts';
import { startUpstream, type Upstream } from '../harness/upstream.ts';

interface TracedGateway {
  readonly gateway: TestGateway;
  readonly upstream: Upstream;
  readonly receiver: Receiver;
  /** Posts, reads the answer to its end, and waits until the batch with its record was processed. */
  ask(path: string, body: object, headers?: Record<string, string>): Promise<Response>;
  close(): Promise<void>;
}

const image = {
  endpoints: ['images_generations'],
  modalities: { input: ['text'], output: ['image'] },
  traits: { image: {} },
  price: { input: 0, output: 0, image: 0.02 },
};

const rows = [
  textModel('traced/one', { provider: 'openai', upstreamId: 'one' }),
  textModel('traced/two', { provider: 'deepseek', upstreamId: 'two' }),
  textModel('traced/drawn', { provider: 'openai', upstreamId: 'drawn' }, image),
];

export async function startTracedGateway(
  environment: (receiver: Receiver) => Record<string, string>,
): Promise<TracedGateway> {
  const [upstream, receiver] = await Promise.all([startUpstream(), startReceiver()]);
  const gateway = await startTestGateway({
    OPENAI_UPSTREAM_URL: upstream.url,
    OPENAI_API_KEY: 'a-provider-key',
    DEEPSEEK_UPSTREAM_URL: upstream.url,
    DEEPSEEK_API_KEY: 'a-provider-key',
    ...environment(receiver),
  });
  const { call, close } = connectDatabase(databaseEndpoint());
  const catalog = createCatalogStore({ call, table: 'catalog' });
  for (const row of rows) await catalog.put(row, { source: 'operator' });
  await close();
  return {
    gateway,
    upstream,
    receiver,
    async ask(path, body, headers = {}) {
      const response = await gateway.post(path, body, headers);
      await response.text().catch(() => undefined);
      await gateway.settled();
      return response;
    },
    async close() {
      await gateway.close();
      await upstream.close();
      await receiver.close();
    },
  };
}

export const chat = (more: object = {}) => ({
  model: 'traced/one',
  messages: [{ role: 'user', content: 'The secret prompt.' }],
  ...more,
});

const usage = {
  ...chatUsage(20, 7),
  prompt_tokens_details: { cached_tokens: 5 },
  completion_tokens_details: { reasoning_tokens: 3 },
};

export const completion = chatAnswer('The secret answer.', usage);

export const firstChunks = [chatChunk({ role: 'assistant', content: 'The secret' })];

export const chunks = [
  ...firstChunks,
  chatChunk({ content: ' answer.' }, 'length'),
  chatChunk({}, null, { choices: [], usage }),
];
