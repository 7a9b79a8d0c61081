/** The Responses operation over one scripted upstream, in every protocol. */
import { expect } from 'vitest';
import type { ChatMessageSeen } from '../chat-stream.ts';
import {
  answerPieces,
  type Piece,
  type ProtocolGateway,
  useProtocolGateway,
} from '../gateways/protocol-gateway.ts';
import { hasOpenAiSchema, openAiSchema } from '../openai-schema.ts';
import type { ProtocolAndForm, ProtocolScript, Step } from '../protocol-scripts.ts';
import { answerJson } from '../upstream.ts';
import {
  type Json,
  type ResponseSeen,
  type ResponseStreamSeen,
  readResponseStream,
} from './response-stream.ts';

/** A response as far as two of them may be alike: ids and times are left out. */
interface AnswerSeen {
  readonly status: string;
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly { readonly name: unknown; readonly arguments: unknown }[];
  readonly usage: Json | null | undefined;
}

interface ResponseProtocols {
  readonly protocols: ProtocolGateway;
  ask(script: ProtocolScript, more?: object): Promise<Response>;
  /** Sends a stream and returns the caller's side of it. */
  replay(script: ProtocolScript, pieces: readonly Piece[], more?: object): Promise<Response>;
  /** Sends a stream that is expected to begin, and reads it by the grammar. */
  read(script: ProtocolScript, pieces: readonly Piece[], more?: object): Promise<ResponseStreamSeen>;
  /** Sends the steps in the form of the row, and returns the final response that the caller got. */
  response(row: ProtocolAndForm, steps: readonly Step[], more?: object): Promise<ResponseSeen>;
}

/** Starts gateway and upstream for the tests of a file. */
export function useResponseProtocols(environment: Record<string, string> = {}): ResponseProtocols {
  const protocols = useProtocolGateway(environment);
  const ask: ResponseProtocols['ask'] = ({ model }, more = {}) =>
    protocols.gateway.post('/v1/responses', { model, input: 'Hello.', ...more });
  const replay: ResponseProtocols['replay'] = (script, pieces, more) => {
    protocols.upstream.script(answerPieces(pieces, script.streamType));
    return ask(script, { stream: true, ...more });
  };
  const read: ResponseProtocols['read'] = async (...parameters) =>
    readResponseStream(await (await replay(...parameters)).text());
  return {
    protocols,
    ask,
    replay,
    read,
    async response({ script, stream }, steps, more) {
      if (stream) return (await read(script, script.stream(steps), more)).response;
      protocols.upstream.script(answerJson(script.body(steps)));
      return readWhole(await ask(script, more));
    },
  };
}

/** A body that is expected to be a response. */
export async function readWhole(answer: Response): Promise<ResponseSeen> {
  const body: ResponseSeen = JSON.parse(await answer.text());
  expect(answer.status, JSON.stringify(body.error)).toBe(200);
  if (hasOpenAiSchema) expect(openAiSchema('Response')(body)).toEqual([]);
  return body;
}

export function seenIn({ status, output, usage }: ResponseSeen): AnswerSeen {
  const partsOf = (type: string, field: string) =>
    output.filter((item) => item.type === type).flatMap((item) => item[field] as readonly Json[]);
  const textOf = (parts: readonly Json[]) => parts.map(({ text = '' }) => text).join('');
  const calls = output.filter(({ type }) => type === 'function_call');
  return {
    status,
    text: textOf(partsOf('message', 'content')),
    reasoning: textOf(partsOf('reasoning', 'summary')),
    calls: calls.map((call) => ({ name: call.name, arguments: JSON.parse(String(call.arguments)) })),
    usage,
  };
}

/** A chat message as a response would say it. */
export function asAnswer({ content, reasoning, calls, finish, usage }: ChatMessage): AnswerSeen {
  return {
    status: finish === 'length' || finish === 'content_filter' ? 'incomplete' : 'completed',
    text: content,
    reasoning,
    calls: calls.map((call) => ({ name: call.name, arguments: asJson(call.arguments) })),
    usage: usage ? usageAsTold(usage as ChatUsage) : null,
  };
}

interface ChatMessage extends Pick<ChatMessageSeen, 'content' | 'reasoning' | 'finish'> {
  readonly calls: readonly { readonly name: string; readonly arguments: unknown }[];
  readonly usage: object | null | undefined;
}

interface ChatUsage {
  readonly prompt_tokens: number;
  readonly prompt_tokens_details: object;
  readonly completion_tokens: number;
  readonly completion_tokens_details: object;
  readonly total_tokens: number;
}

const asJson = (value: unknown): unknown => (typeof value === 'string' ? JSON.parse(value) : value);

const usageAsTold = (usage: ChatUsage): Json => ({
  input_tokens: usage.prompt_tokens,
  input_tokens_details: usage.prompt_tokens_details,
  output_tokens: usage.completion_tokens,
  output_tokens_details: usage.completion_tokens_details,
  total_tokens: usage.total_tokens,
});
