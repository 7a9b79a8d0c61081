/** Chat completions: `POST /v1/chat/completions`. */
import type { Answer, Call, Endpoint } from '../../core/endpoint.ts';
import { generating } from '../../pipeline/generation/buffered.ts';
import { commentaryAsReasoning } from '../../pipeline/generation/commentary.ts';
import { generate } from '../../pipeline/generation/generate.ts';
import type { Generated } from '../../pipeline/generation/generated.ts';
import type { PipelineParts } from '../../pipeline/parts.ts';
import { costInUsage, gatewayHeaders, noteMetadata, writeDebug } from '../answer-facts.ts';
import { type ChatInput, readChat } from './read/read.ts';
import { chatSchema } from './read/schema.ts';
import { hideReasoning } from './write/hide-reasoning.ts';
import type { ChatIdentity } from './write/write.ts';
import { writeChatBody } from './write/write-body.ts';
import { chatStream, writeChatStreamError } from './write/write-stream.ts';

export interface ChatParts extends PipelineParts {
  /** A new random id with this prefix. */
  readonly newId: (prefix: string) => string;
}

export function chatEndpoint(parts: ChatParts): Endpoint<typeof chatSchema, ChatInput> {
  return {
    schema: chatSchema,
    read: readChat,
    ...generating(parts, 'chat_completions'),
    earlyFrame: () => ({ onError: writeChatStreamError }),
    async answer(call) {
      noteMetadata(call.facts, call.input.request.parameters.metadata);
      return write(parts, call, await generate(parts, 'chat_completions', call.input, call));
    },
  };
}

async function write(parts: ChatParts, call: Call<ChatInput>, generated: Generated): Promise<Answer> {
  const { input } = call;
  const { response_format: format } = input.request.parameters;
  const isJson = format !== undefined && format.type !== 'text';
  const answered = isJson ? commentaryAsReasoning(generated.events) : generated.events;
  const hasTools = input.request.tools.length > 0;
  const events = input.hidesReasoning ? hideReasoning(answered, hasTools) : answered;
  const identity: ChatIdentity = {
    id: parts.newId('chatcmpl-'),
    created: Math.floor(parts.now() / 1000),
    model: generated.target.model.id,
  };
  const debug = () => writeDebug(call, generated);
  const headers = gatewayHeaders(generated);
  const cost = costInUsage(call);
  if (!input.request.stream) {
    return { type: 'json', headers, body: await writeChatBody(events, identity, debug, cost) };
  }
  const stream = chatStream({ identity, includeUsage: input.includeUsage, cost, debug });
  return { type: 'stream', headers, events: events.pipe(stream), onError: writeChatStreamError };
}
