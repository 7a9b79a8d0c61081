/**
 * A gateway whose chat function fetches media from a TLS server on loopback, and asks a provider that takes no URLs of images:
 * `media/first` and `media/second`, which may be its fallback.
 */
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { operationNamed } from '../../../lib/core/operations.ts';
import { variableOf } from '../../../lib/core/provider-settings.ts';
import { readHeldForm } from '../../../lib/http/form/read-held-form.ts';
import { serve } from '../../../lib/http/serve.ts';
import { chatEndpoint } from '../../../lib/operations/chat/endpoint.ts';
import { messagesEndpoint } from '../../../lib/operations/messages/endpoint.ts';
import { transcriptionEndpoint } from '../../../lib/operations/transcriptions/endpoint.ts';
import { providers } from '../../../lib/providers/all-providers.ts';
import { generationRuntime } from '../../../lib/runtime/generation-runtime.ts';
import { createMediaFetcher, type MediaFetcherOptions } from '../../../lib/transport/media-fetcher.ts';
import { startServer } from '../../../server/http/server.ts';
import { loadInProcessEngine } from '../../../server/in-process.ts';
import { end, listen } from '../listening.ts';
import { putModels } from '../matrix/catalog.ts';
import { startUpstream, type Upstream } from '../upstream.ts';
import { startTestGateway } from './gateway.ts';

const certificate = readFileSync(new URL('../../transport/test-only-certificate.pem', import.meta.url));

/** Every name leads to it. */
interface MediaServer {
  /** Of the host, without a slash at the end. */
  readonly url: string;
  /** The paths that were asked for. */
  readonly asked: string[];
  /** The highest number of requests that it was answering at the same time, each on its own connection. */
  maxAnswering(): number;
  /** Connections that are open. */
  open(): number;
  answer(listener: (request: IncomingMessage, response: ServerResponse) => void): void;
}

interface MediaGateway {
  readonly media: MediaServer;
  readonly provider: Upstream;
  readonly apiKey: string;
  readonly url: string;
  post(body: object, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

/** What is asked, and whom. */
export interface Served {
  readonly operation: 'audio-transcriptions' | 'chat-completions' | 'messages';
  /** As in the catalog. */
  readonly provider: string;
  readonly settings: Readonly<Record<string, string>>;
}

const chatAtMoonshot: Served = {
  operation: 'chat-completions',
  provider: 'moonshot',
  settings: { MOONSHOT_API_KEY: 'a-provider-key' },
};

export async function startMediaGateway(
  options: MediaFetcherOptions = {},
  served: Served = chatAtMoonshot,
): Promise<MediaGateway> {
  const { server: mediaServer, ...media } = await startMediaServer();
  const { port } = mediaServer.address() as AddressInfo;
  const provider = await startUpstream();
  const gateway = await startTestGateway({
    [variableOf(accountOf(served.provider), 'base-url')]: provider.url,
    ...served.settings,
  });
  const deployment = (upstreamId: string) => [{ provider: served.provider, upstreamId }];
  await putModels({ 'media/first': deployment('first'), 'media/second': deployment('second') });
  const runtime = generationRuntime(gateway.variables);
  const fetchMedia = createMediaFetcher({
    lookup: async () => ['127.0.0.1'],
    isAllowed: () => true,
    ports: [443, port],
    tls: { ca: certificate },
    ...options,
  });
  const operation = operationNamed(served.operation);
  const parts = { ...runtime, connections: { ...runtime.connections, fetchMedia } };
  const handlers = {
    'audio-transcriptions': () => serve(operation, transcriptionEndpoint(parts), { ...parts, readHeldForm }),
    'chat-completions': () => serve(operation, chatEndpoint(parts), parts),
    messages: () => serve(operation, messagesEndpoint(parts), parts),
  };
  const handler = handlers[served.operation]();
  const invoke = await loadInProcessEngine([operation], async () => handler);
  const server = await startServer({ operations: [operation], invoke, port: 0 });
  return {
    media,
    provider,
    apiKey: gateway.apiKey,
    url: server.url,
    post: (body, init = {}) =>
      fetch(`${server.url}${operation.path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        ...init,
      }),
    async close() {
      await server.close();
      await gateway.close();
      await provider.close();
      await end(mediaServer);
    },
  };
}

const accountOf = (provider: string): string => providers.get(provider)?.account ?? provider;

async function startMediaServer() {
  const asked: string[] = [];
  const open = new Set<Socket>();
  let answering = 0;
  let maxAnswering = 0;
  let listener: (request: IncomingMessage, response: ServerResponse) => void = (_request, response) =>
    void response.writeHead(500).end();
  const server = createServer({ key: certificate, cert: certificate }, (request, response) => {
    asked.push(request.url ?? '');
    answering += 1;
    maxAnswering = Math.max(maxAnswering, answering);
    response.once('close', () => {
      answering -= 1;
    });
    listener(request, response);
  });
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.on('error', () => {}).on('close', () => open.delete(socket));
  });
  await listen(server);
  const { port } = server.address() as AddressInfo;
  return {
    server,
    url: `https://images.test:${port}`,
    asked,
    maxAnswering: () => maxAnswering,
    open: () => open.size,
    answer(given: typeof listener) {
      listener = given;
      asked.length = 0;
      maxAnswering = answering;
    },
  };
}
