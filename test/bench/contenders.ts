/** The servers that are measured, and how each is asked for the same work. */
import { join } from 'node:path';
import type { Question } from './client.ts';
import type { PeerName } from './options.ts';
import { anthropicProtocol } from './protocols/anthropic.ts';
import { askChat, openaiProtocol } from './protocols/openai.ts';
import type { Protocol, Work } from './protocols/protocol.ts';
import { askResponses, responsesAnswer } from './protocols/responses.ts';
import { functionEnvironment } from './servers/function-environment.ts';
import { type Served, startServed } from './servers/served.ts';
import { type ServerProcess, startServer } from './servers/server-process.ts';

/** `gateway` is `npm run serve`, `functions` what Lambda runs. */
export type ContenderName = 'bare' | 'gateway' | 'functions' | PeerName;

/** Starts one of them in a fresh process. */
export type StartContender = () => Promise<Contender>;

export interface Contender {
  readonly name: ContenderName;
  readonly url: string;
  readonly process: ServerProcess;
  question(protocol: Protocol, work: Work, stream: boolean): Question;
}

export interface Gateway extends Contender {
  /** As a caller of another operation asks for the same. */
  readonly others: Readonly<Record<OtherOperation, Contender['question']>>;
}

/** `npm run serve`. */
export interface ServedGateway extends Gateway, Pick<Served, 'metrics'> {}

/** Operations that are measured beside chat. */
export type OtherOperation = 'messages' | 'responses';

export interface Environment {
  readonly upstreamUrl: string;
  readonly tablesUrl: string;
  readonly apiKey: string;
  /** Where the built functions are. */
  readonly bundles: string;
}

const program = (name: string) => join(import.meta.dirname, 'servers', name);

export function write(
  body: object,
  { pieces }: Work,
  { end }: Pick<Protocol, 'end'>,
  stream: boolean,
): Omit<Question, 'path' | 'headers'> {
  return { body: JSON.stringify(body), pieces, ...(stream && { end }) };
}

/** Asked in the upstream's protocol, because it does not translate. */
export async function startBare({ upstreamUrl }: Environment): Promise<Contender> {
  const server = await startServer({
    program: program('bare.ts'),
    environment: { BENCH_UPSTREAM_URL: upstreamUrl },
  });
  return {
    name: 'bare',
    url: server.announced.url ?? '',
    process: server,
    question: (protocol, work, stream) => ({
      path: `${protocol.base}${protocol.path(stream)}`,
      headers: { authorization: 'Bearer benchmark' },
      ...write(protocol.ask(work, stream), work, protocol, stream),
    }),
  };
}

export async function startGateway(
  environment: Environment,
  nodeOptions?: readonly string[],
): Promise<ServedGateway> {
  const served = await startServed(environment, nodeOptions);
  return { name: 'gateway', ...served, ...questionsOf(environment) };
}

export async function startFunctions(
  environment: Environment,
  variables: Readonly<Record<string, string>> = {},
): Promise<Gateway> {
  const { upstreamUrl, tablesUrl, bundles } = environment;
  const server = await startServer({
    program: program('functions.ts'),
    environment: { ...functionEnvironment(upstreamUrl, tablesUrl), BENCH_BUNDLES: bundles, ...variables },
  });
  const { url = '' } = server.announced;
  return { name: 'functions', url, process: server, ...questionsOf(environment) };
}

function questionsOf({ apiKey }: Environment): Pick<Gateway, 'question' | 'others'> {
  const headers = { authorization: `Bearer ${apiKey}` };
  return {
    question: (protocol, work, stream) => askGateway(apiKey, protocol, work, stream),
    others: {
      messages: ({ model }, work, stream) => ({
        path: '/v1/messages',
        headers,
        ...write({ ...anthropicProtocol.ask(work, stream), model }, work, anthropicProtocol, stream),
      }),
      responses: ({ model }, work, stream) => ({
        path: '/v1/responses',
        headers,
        ...write(askResponses(model, work, stream), work, responsesAnswer, stream),
        ...(stream && { before: responsesAnswer.before }),
      }),
    },
  };
}

/** A chat request to the gateway, wherever it runs. */
const askGateway = (apiKey: string, protocol: Protocol, work: Work, stream: boolean): Question => ({
  path: '/v1/chat/completions',
  headers: { authorization: `Bearer ${apiKey}` },
  ...write(askChat(protocol.model, work, stream), work, openaiProtocol, stream),
});
