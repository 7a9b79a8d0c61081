/** Requests of tests with the sources that a caller of chat completions has; with like ones for what chat has not. */

import { source } from '../../../lib/core/generation/original/source.ts';
import type { ContentPart, GenerationRequest, Message } from '../../../lib/core/generation/request.ts';
import {
  callSource,
  messageSource,
  partSource,
  toolSource,
} from '../../../lib/operations/chat/read/sources.ts';
import { searchSource } from '../../../lib/operations/responses/read/sources.ts';

export function fromChat(request: GenerationRequest): GenerationRequest {
  const { webSearch } = request;
  return {
    ...request,
    ...(webSearch && { webSearch: { ...webSearch, [source]: searchSource(webSearch.position) } }),
    messages: messagesFromChat(request.messages),
    tools: request.tools.map((tool, position) => ({
      ...tool,
      [source]: toolSource(position, tool.kind ?? 'function'),
    })),
  };
}

/** The field of chat that holds a part. */
const mediaOf = { image: 'image_url', file: 'file_data', audio: 'input_audio', video: 'video_url' } as const;

export function messagesFromChat(messages: readonly Message[]): readonly Message[] {
  return messages.map((message, position) => {
    const { path, fields } = messageSource(position);
    const from = { path, fields: { ...fields, webSearches: 'web_searches' } };
    const withSource = <Part extends ContentPart>(part: Part, index: number) => {
      const media = part.type === 'text' ? undefined : mediaOf[part.type];
      return { ...part, [source]: partSource(`${path}.content`, index, media) };
    };
    switch (message.role) {
      case 'system':
        return { ...message, content: message.content.map(withSource), [source]: from };
      case 'assistant':
        return {
          ...message,
          content: message.content.map(withSource),
          toolCalls: message.toolCalls.map((call, index) => ({
            ...call,
            [source]: callSource(from.path, index, call.kind ?? 'function'),
          })),
          [source]: from,
        };
      default:
        return { ...message, content: message.content.map(withSource), [source]: from };
    }
  });
}
