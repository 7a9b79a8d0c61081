/** A gateway that creates responses in the background, with a model whose answers a test holds back. */
import OpenAI from 'openai';
import type { ResponseStreamEvent } from 'openai/resources/responses/responses';
import { createKeyStore } from '../../../lib/stores/access/keys.ts';
import { createBackgroundStore } from '../../../lib/stores/responses/background.ts';
import { chatChunk, chatUsage, dataLine } from '../chat-answers.ts';
import { useUpstreamGateway } from '../gateways/upstream-gateway.ts';
import { textModel } from '../text-model.ts';
import { useLedger } from '../use-ledger.ts';

/** Its price is in `textModel`. */
export const model = 'acme/held';

const usage = chatUsage(100, 50);

/** An answer of a provider: what has been let go of it. */
interface Held {
  /** Sends words. */
  say(...words: readonly string[]): void;
  /** Sends the end. */
  finish(): void;
  /** Resolves when the exchange is over: true when the answer had been given whole. */
  readonly over: Promise<boolean>;
}

/** Starts it for the tests of a file. */
export function useBackgroundGateway() {
  const { gateway, upstream } = useUpstreamGateway('DEEPSEEK');
  const used = useLedger(() => [textModel(model, { provider: 'deepseek', upstreamId: 'held' })]);
  const { ledger } = used;
  const clientOf = (apiKey: string) => new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey, maxRetries: 0 });
  return {
    gateway,
    upstream,
    ledger,
    client: () => clientOf(gateway.apiKey),
    /** Of another tenant. */
    async stranger(tenant: string) {
      const keys = createKeyStore({ call: ledger.call, table: 'access' });
      return clientOf((await keys.create({ tenant })).secret);
    },
    /** As they were at another time. */
    runsAt: (now: () => number) => createBackgroundStore({ call: ledger.call, table: 'state', now }),
    /** Holds back the next answer. */
    hold(): Promise<Held> {
      const { promise, resolve } = Promise.withResolvers<Held>();
      upstream.script(({ over }, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const chunk = (...given: Parameters<typeof chatChunk>) =>
          response.write(dataLine(chatChunk(...given)));
        resolve({
          over,
          say: (...words) => {
            for (const content of words) chunk({ content });
          },
          finish() {
            chunk({}, 'stop');
            chunk({}, null, { choices: [], usage });
            response.end('data: [DONE]\n\n');
          },
        });
      });
      return promise;
    },
  };
}

/** Polls a response until it is in one of these states. */
export async function until(client: OpenAI, id: string, ...statuses: readonly string[]) {
  for (;;) {
    const response = await client.responses.retrieve(id);
    if (statuses.includes(response.status ?? '')) return response;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export type Events = AsyncIterable<ResponseStreamEvent>;

/** The events of a stream, up to the one that is named; without a name, all. */
export async function take(events: Events, upTo?: string): Promise<readonly ResponseStreamEvent[]> {
  const taken: ResponseStreamEvent[] = [];
  for await (const event of events) {
    taken.push(event);
    if (event.type === upTo) break;
  }
  return taken;
}
