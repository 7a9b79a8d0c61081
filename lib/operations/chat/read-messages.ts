/** Chat messages as the house's own: content is always a list of parts, absent lists are empty. */
import type {
  AssistantMessage,
  CacheControl,
  ContentPart,
  Message,
  ReasoningDetail,
  TextPart,
  ToolCall,
} from '../../core/generation/request.ts';
import type { ChatMessage } from './message-schema.ts';
import { withSignaturesOfCalls } from './thought-signature.ts';

type ChatAssistant = ChatMessage & { role: 'assistant' };
type ChatDetail = NonNullable<ChatAssistant['reasoning_details']>[number];

export function readMessage(message: ChatMessage): Message {
  const common = {
    ...(message.name !== undefined && { name: message.name }),
    ...(message.cache_control && { cacheControl: readCacheControl(message.cache_control) }),
  };
  switch (message.role) {
    case 'system':
    case 'developer':
      return { role: 'system', content: readTexts(message.content), ...common };
    case 'user':
      return { role: 'user', content: readContent(message.content), ...common };
    case 'assistant':
      return { ...readAssistant(message), ...common };
    case 'tool':
      return {
        role: 'tool',
        toolCallId: message.tool_call_id,
        content: readContent(message.content),
        ...common,
      };
  }
}

/** A marker, wherever it stands. */
export function readCacheControl({ type, ttl }: NonNullable<ChatMessage['cache_control']>): CacheControl {
  return ttl === undefined ? { type } : { type, ttl };
}

function readTexts(content: string | readonly ChatTextPart[]): readonly TextPart[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content.map(readText);
}

type ChatTextPart = Extract<Exclude<ChatContent, string>[number], { type: 'text' }>;

function readText({ type, text, cache_control }: ChatTextPart): TextPart {
  return { type, text, ...(cache_control && { cacheControl: readCacheControl(cache_control) }) };
}

type ChatContent = Extract<ChatMessage, { role: 'user' }>['content'];

function readContent(content: ChatContent): readonly ContentPart[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return content.map((part) => {
    if (part.type === 'text') return readText(part);
    const { url, detail } = part.image_url;
    const marked = part.cache_control && { cacheControl: readCacheControl(part.cache_control) };
    return { type: 'image', url, ...(detail !== undefined && { detail }), ...marked };
  });
}

function readAssistant(message: ChatAssistant): AssistantMessage {
  const content = typeof message.content === 'string' ? [] : (message.content ?? []);
  const texts = content.flatMap((part) => (part.type === 'text' ? [part] : []));
  const refused = content.flatMap((part) => (part.type === 'refusal' ? [part.refusal] : []));
  const refusal = [message.refusal ?? '', ...refused].join('');
  const reasoning = message.reasoning_content ?? '';
  const details = withSignaturesOfCalls(
    (message.reasoning_details ?? []).map(readDetail),
    message.tool_calls ?? [],
  );
  return {
    role: 'assistant',
    content: readTexts(typeof message.content === 'string' ? message.content : texts),
    toolCalls: (message.tool_calls ?? []).map(readToolCall),
    reasoningDetails: details,
    ...(refusal !== '' && { refusal }),
    // With details it only repeats, for people, what they hold.
    ...(reasoning !== '' && details.length === 0 && { reasoning }),
  };
}

function readToolCall(call: NonNullable<ChatAssistant['tool_calls']>[number]): ToolCall {
  return { id: call.id, name: call.function.name, arguments: call.function.arguments };
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
