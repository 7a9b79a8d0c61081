/** Chat messages as the house's own: content is always a list of parts, absent lists are empty. */
import type {
  AssistantMessage,
  ContentPart,
  Message,
  ReasoningDetail,
  TextPart,
  ToolCall,
} from '../../core/generation.ts';
import type { ChatMessage } from './message-schema.ts';

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

function readCacheControl({ type, ttl }: NonNullable<ChatMessage['cache_control']>) {
  return ttl === undefined ? { type } : { type, ttl };
}

function readTexts(content: string | readonly TextPart[]): readonly TextPart[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

type ChatContent = Extract<ChatMessage, { role: 'user' }>['content'];

function readContent(content: ChatContent): readonly ContentPart[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return content.map((part) => {
    if (part.type === 'text') return part;
    const { url, detail } = part.image_url;
    return detail === undefined ? { type: 'image', url } : { type: 'image', url, detail };
  });
}

function readAssistant(message: ChatAssistant): AssistantMessage {
  const content = typeof message.content === 'string' ? readTexts(message.content) : (message.content ?? []);
  const refused = content.flatMap((part) => (part.type === 'refusal' ? [part.refusal] : []));
  const refusal = [message.refusal ?? '', ...refused].join('');
  const reasoning = message.reasoning_content ?? '';
  const details = (message.reasoning_details ?? []).map(readDetail);
  return {
    role: 'assistant',
    content: content.flatMap((part) => (part.type === 'text' ? [part] : [])),
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
