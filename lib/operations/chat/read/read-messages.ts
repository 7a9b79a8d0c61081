/** Reads chat messages into internal ones: content is always a list of parts, absent lists are empty. */

import { source } from '../../../core/generation/original/source.ts';
import type {
  AssistantMessage,
  Message,
  ReasoningDetail,
  ToolCall,
} from '../../../core/generation/request.ts';
import { withSignatures } from '../thought-signature.ts';
import type { ChatMessage } from './message-schema.ts';
import { plainText, readCacheControl, readContent, readText, readTexts } from './read-parts.ts';
import { callSource, messageSource } from './sources.ts';

type ChatAssistant = ChatMessage & { role: 'assistant' };
type ChatDetail = NonNullable<ChatAssistant['reasoning_details']>[number];

export function readMessage(message: ChatMessage, position: number): Message {
  const from = messageSource(position, reasoningField(message));
  const common = {
    [source]: from,
    ...(message.name != null && { name: message.name }),
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

/** The one of its two names that counts. */
function reasoningField(message: ChatMessage): 'reasoning_content' | 'reasoning' {
  if (message.role !== 'assistant' || message.reasoning_content != null) return 'reasoning_content';
  return message.reasoning == null ? 'reasoning_content' : 'reasoning';
}

function readAssistant(message: ChatAssistant, path: string): AssistantMessage {
  const content = typeof message.content === 'string' ? [] : (message.content ?? []);
  const texts = content.flatMap((part, position) =>
    part.type === 'text' ? [readText(part, path, position)] : [],
  );
  const refused = content.flatMap((part) => (part.type === 'refusal' ? [part.refusal] : []));
  const refusal = [message.refusal ?? '', ...refused].join('');
  const reasoning = message[reasoningField(message)] ?? '';
  const given = message.reasoning_details ?? message.provider_specific_fields?.reasoning_details ?? [];
  const details = withSignatures(given.map(readDetail), message);
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
  const { id, type, cache_control: marker } = call;
  const common = {
    id,
    ...(marker && { cacheControl: readCacheControl(marker) }),
    [source]: callSource(path, position, type),
  };
  if (call.type === 'custom') {
    return { ...common, kind: call.type, name: call.custom.name, arguments: call.custom.input };
  }
  return { ...common, name: call.function.name, arguments: call.function.arguments };
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
