/** Where the caller of chat completions finds what a request holds. */
import type { ContentPart, Message, Tool, ToolCall } from '../../core/generation/request.ts';
import type { FieldOf, Source } from '../../core/generation/source.ts';

type Fields<Item> = Readonly<Partial<Record<FieldOf<Item>, string>>>;

const messageFields: Fields<Message> = {
  role: 'role',
  name: 'name',
  content: 'content',
  refusal: 'refusal',
  toolCalls: 'tool_calls',
  toolCallId: 'tool_call_id',
  reasoning: 'reasoning_content',
  reasoningDetails: 'reasoning_details',
  cacheControl: 'cache_control',
};

type Kind = 'function' | 'custom';

const callFields: Readonly<Record<Kind, Fields<ToolCall>>> = {
  function: { id: 'id', kind: 'type', name: 'function.name', arguments: 'function.arguments' },
  custom: { id: 'id', kind: 'type', name: 'custom.name', arguments: 'custom.input' },
};

const partFields: Fields<ContentPart> = {
  type: 'type',
  text: 'text',
  url: 'image_url.url',
  detail: 'image_url.detail',
  cacheControl: 'cache_control',
};

const toolFields: Readonly<Record<Kind, Fields<Tool>>> = {
  function: {
    kind: 'type',
    name: 'function.name',
    description: 'function.description',
    parameters: 'function.parameters',
    strict: 'function.strict',
    cacheControl: 'cache_control',
  },
  custom: {
    kind: 'type',
    name: 'custom.name',
    description: 'custom.description',
    format: 'custom.format',
    cacheControl: 'cache_control',
  },
};

export const messageSource = (position: number): Source => ({
  path: `messages.${position}`,
  fields: messageFields,
});

export const partSource = (content: string, position: number): Source => ({
  path: `${content}.${position}`,
  fields: partFields,
});

export const callSource = (message: string, position: number, kind: Kind): Source => ({
  path: `${message}.tool_calls.${position}`,
  fields: callFields[kind],
});

export const toolSource = (position: number, kind: Kind): Source => ({
  path: `tools.${position}`,
  fields: toolFields[kind],
});
