/** Reads chat messages into internal ones: content is always a list of parts, absent lists are empty. */
import type {
  AssistantMessage,
  CacheControl,
  ContentPart,
  Message,
  ReasoningDetail,
  TextPart,
  ToolCall,
} from '../../core/generation/request.ts';
import { source, wholeSource } from '../../core/generation/source.ts';
import type { ChatMessage } from './message-schema.ts';
import { callSource, messageSource, partSource } from './sources.ts';
import { withSignaturesOfCalls } from './thought-signature.ts';

type ChatAssistant = ChatMessage & { role: 'assistant' };
type ChatDetail = NonNullable<ChatAssistant['reasoning_details']>[number];

export function readMessage(message: ChatMessage, position: number): Message {
  const from = messageSource(position);
  const common = {
    [source]: from,
    ...(message.name !== undefined && { name: message.name }),
    ...(message.cache_control && { cacheControl: readCacheControl(message.cache_control) }),
  };
  switch (message.role) {
    case 'system':
    case 'developer':
      return { role: 'system', content: readTexts(message.content, from.path), ...common };
    case 'user':
      return { role: 'user', content: readContent(message.content, from.path), ...common };
    case 'assistant':
      return { ...readAssistant(message, from.path), ...common };
    case 'tool':
      return {
        role: 'tool',
        toolCallId: message.tool_call_id,
        content: readContent(message.content, from.path),
        ...common,
      };
  }
}

/** A cache marker of a message, a part or a tool. */
export function readCacheControl({ type, ttl }: NonNullable<ChatMessage['cache_control']>): CacheControl {
  return ttl === undefined ? { type } : { type, ttl };
}

type ChatContent = Extract<ChatMessage, { role: 'user' }>['content'];
type ChatPart = Exclude<ChatContent, string>[number];
type ChatTextPart = Extract<ChatPart, { type: 'text' }>;

/** `path`: that of the message. */
function readTexts(content: string | readonly ChatTextPart[], path: string): readonly TextPart[] {
  if (typeof content === 'string') return [plainText(content, path)];
  return content.map((part, position) => readText(part, path, position));
}

const plainText = (text: string, path: string): TextPart => ({
  type: 'text',
  text,
  [source]: wholeSource(`${path}.content`),
});

function readText({ type, text, cache_control }: ChatTextPart, path: string, position: number): TextPart {
  return {
    type,
    text,
    ...(cache_control && { cacheControl: readCacheControl(cache_control) }),
    [source]: partSource(`${path}.content`, position),
  };
}

function readContent(content: ChatContent, path: string): readonly ContentPart[] {
  if (typeof content === 'string') return [plainText(content, path)];
  return content.map((part, position) => {
    if (part.type === 'text') return readText(part, path, position);
    const { url, detail } = part.image_url;
    return {
      type: 'image',
      url,
      ...(detail !== undefined && { detail }),
      ...(part.cache_control && { cacheControl: readCacheControl(part.cache_control) }),
      [source]: partSource(`${path}.content`, position),
    };
  });
}

function readAssistant(message: ChatAssistant, path: string): AssistantMessage {
  const content = typeof message.content === 'string' ? [] : (message.content ?? []);
  const texts = content.flatMap((part, position) =>
    part.type === 'text' ? [readText(part, path, position)] : [],
  );
  const refused = content.flatMap((part) => (part.type === 'refusal' ? [part.refusal] : []));
  const refusal = [message.refusal ?? '', ...refused].join('');
  const reasoning = message.reasoning_content ?? '';
  const details = withSignaturesOfCalls(
    (message.reasoning_details ?? []).map(readDetail),
    message.tool_calls ?? [],
  );
  return {
    role: 'assistant',
    content: typeof message.content === 'string' ? [plainText(message.content, path)] : texts,
    toolCalls: (message.tool_calls ?? []).map((call, position) => readToolCall(call, path, position)),
    reasoningDetails: details,
    ...(refusal !== '' && { refusal }),
    // With details it only repeats them in readable form.
    ...(reasoning !== '' && details.length === 0 && { reasoning }),
  };
}

type ChatCall = NonNullable<ChatAssistant['tool_calls']>[number];

function readToolCall(call: ChatCall, path: string, position: number): ToolCall {
  const from = { [source]: callSource(path, position, call.type) };
  if (call.type === 'custom') {
    const { name, input } = call.custom;
    return { id: call.id, kind: call.type, name, arguments: input, ...from };
  }
  return { id: call.id, name: call.function.name, arguments: call.function.arguments, ...from };
}

function readDetail(detail: ChatDetail, position: number): ReasoningDetail {
  const base = {
    format: detail.format ?? 'unknown',
    index: detail.index ?? position,
    ...(typeof detail.id === 'string' && { id: detail.id }),
  };
  switch (detail.type) {
    case 'reasoning.text': {
      const signed = typeof detail.signature === 'string' ? { signature: detail.signature } : {};
      return { ...base, type: detail.type, text: detail.text, ...signed };
    }
    case 'reasoning.summary':
      return { ...base, type: detail.type, summary: detail.summary };
    case 'reasoning.encrypted':
      return { ...base, type: detail.type, data: detail.data };
  }
}
