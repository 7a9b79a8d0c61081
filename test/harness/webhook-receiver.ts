/** A receiver of webhooks on this machine, which answers as a test says, and reads what it gets with the SDK of OpenAI. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import OpenAI from 'openai';
import { afterEach } from 'vitest';
import { end, listen } from './listening.ts';
import { use } from './use.ts';

interface ReceivedWebhook {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const { webhooks } = new OpenAI({ apiKey: 'none' });

/** The event, if it was signed with the secret. The time of a test may be another one than now. */
export const unwrap = ({ headers, body }: ReceivedWebhook, secret: string) =>
  webhooks.unwrap(body, headers as Record<string, string>, secret, Number.MAX_SAFE_INTEGER);

/** Starts it for the tests of a file. */
export function useWebhookReceiver() {
  const received: ReceivedWebhook[] = [];
  /** The next answers; then 204. */
  const statuses: number[] = [];
  const started = use(async () => {
    const server = createServer(async (request, response) => {
      received.push({ headers: request.headers, body: await text(request) });
      response.writeHead(statuses.shift() ?? 204, { location: '/elsewhere' }).end('of no interest');
    });
    const url = `${await listen(server)}/hooks`;
    const close = () => end(server);
    return { url, close };
  });
  afterEach(() => {
    received.length = 0;
    statuses.length = 0;
  });
  return {
    get url() {
      return started.url;
    },
    received,
    statuses,
  };
}
