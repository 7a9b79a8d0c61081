/** A gateway whose providers are all one scripted upstream, which sends what a protocol script writes. */
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll } from 'vitest';
import { type ChatMessageSeen, type ChatStreamSeen, readChatStream } from '../chat-stream.ts';
import { addPinnedModels } from '../matrix/pinned-models.ts';
import {
  type ProtocolAndForm,
  type ProtocolScript,
  protocolScripts,
  responseScripts,
  type Step,
} from '../protocol-scripts.ts';
import { answerJson, type UpstreamScript } from '../upstream.ts';
import { type UpstreamGateway, useUpstreamGateway } from './upstream-gateway.ts';

/** Bytes; a number is a pause in milliseconds, a function a wait; `cut` breaks the connection. */
export type Piece = Uint8Array | number | (() => Promise<void>) | 'cut';

/** One message, however it came. Ids are left out: some protocols have none, and get random ones. */
export interface MessageSeen extends Pick<ChatMessageSeen, 'content' | 'reasoning' | 'finish'> {
  readonly calls: readonly { readonly name: string; readonly arguments: unknown }[];
  readonly usage: object | undefined;
}

export interface ProtocolGateway extends Pick<UpstreamGateway, 'gateway' | 'upstream'> {
  /** Asks the model of the script. */
  ask(script: ProtocolScript, more?: object): Promise<Response>;
  /** Sends a stream and returns the caller's side of it. */
  replay(script: ProtocolScript, pieces: readonly Piece[], more?: object): Promise<Response>;
  /** Sends the steps in the form of the row, and returns the message that the caller got. */
  message(row: ProtocolAndForm, steps: readonly Step[]): Promise<MessageSeen>;
  /** Sends a stream that is expected to begin, and reads it by the grammar. */
  read(script: ProtocolScript, pieces: readonly Piece[], more?: object): Promise<ChatStreamSeen>;
}

const scripts = [...protocolScripts, ...responseScripts];

/** Starts both for the tests of a file. */
export function useProtocolGateway(environment: Record<string, string> = {}): ProtocolGateway {
  const providers = scripts.map(({ protocol }) => protocol.toUpperCase());
  const { gateway, upstream } = useUpstreamGateway(providers, environment);
  beforeAll(() => addPinnedModels(...scripts.map(({ model }) => model)));
  const ask: ProtocolGateway['ask'] = ({ model }, more = {}) =>
    gateway.post('/v1/chat/completions', {
      model,
      messages: [{ role: 'user', content: 'Hello.' }],
      ...more,
    });
  const replay: ProtocolGateway['replay'] = (script, pieces, more) => {
    upstream.script(answerPieces(pieces, script.streamType));
    return ask(script, { stream: true, ...more });
  };
  const read: ProtocolGateway['read'] = async (...parameters) =>
    readChatStream(await (await replay(...parameters)).text());
  return {
    gateway,
    upstream,
    ask,
    replay,
    read,
    async message({ script, stream }, steps) {
      if (stream) return streamedMessage(await read(script, script.stream(steps), withUsage));
      upstream.script(answerJson(script.body(steps)));
      return wholeMessage((await (await ask(script)).json()) as WholeAnswer);
    },
  };
}

const withUsage = { stream_options: { include_usage: true } };

function streamedMessage({ choices, usage }: ChatStreamSeen): MessageSeen {
  const { content = '', reasoning = '', finish, calls = [] } = choices.get(0) ?? {};
  return { content, reasoning, finish, usage, calls: calls.map(readCall) };
}

interface WholeAnswer {
  readonly usage?: object;
  readonly choices: readonly {
    readonly finish_reason: string;
    readonly message: {
      readonly content: string | null;
      readonly reasoning_content?: string;
      readonly tool_calls?: readonly { readonly function: { name: string; arguments: string } }[];
    };
  }[];
}

function wholeMessage({ choices: [choice], usage }: WholeAnswer): MessageSeen {
  const { content, reasoning_content: reasoning = '', tool_calls: calls = [] } = choice?.message ?? {};
  return {
    content: content ?? '',
    reasoning,
    finish: choice?.finish_reason,
    usage,
    calls: calls.map((call) => readCall(call.function)),
  };
}

const readCall = ({ name, arguments: text }: { name: string; arguments: string }) => ({
  name,
  arguments: JSON.parse(text),
});

/** A script that sends the pieces one after the other. */
export function answerPieces(pieces: readonly Piece[], contentType: string): UpstreamScript {
  return async (_request, response) => {
    response.writeHead(200, { 'content-type': contentType });
    response.flushHeaders();
    for (const piece of pieces) {
      if (response.destroyed) return;
      if (piece === 'cut') return void response.destroy();
      if (typeof piece === 'number') await pause(piece);
      else if (typeof piece === 'function') await piece();
      else await write(response, piece);
    }
    response.end();
  };
}

/** Waits until the piece is on its way, so that pieces stay apart and a cut comes after them. */
function write(response: ServerResponse, piece: Uint8Array): Promise<void> {
  return new Promise((resolve) => response.write(piece, () => resolve()));
}
