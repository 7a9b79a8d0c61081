/** Where the caller of chat completions finds what a request holds. */

import type { FieldOf, Source } from '../../../core/generation/original/source.ts';
import type { ContentPart, Message, Tool, ToolCall } from '../../../core/generation/request.ts';

type Fields<Item> = Readonly<Partial<Record<FieldOf<Item>, string>>>;

const messageFields: Fields<Message> = {
  role: 'role',
  name: 'name',
  content: 'content',
  refusal: 'refusal',
  toolCalls: 'tool_calls',
  toolCallId: 'tool_call_id',
  reasoningDetails: 'reasoning_details',
  cacheControl: 'cache_control',
};

type Kind = 'function' | 'custom';

const callFields: Readonly<Record<Kind, Fields<ToolCall>>> = {
  function: {
    id: 'id',
    kind: 'type',
    name: 'function.name',
    arguments: 'function.arguments',
    cacheControl: 'cache_control',
  },
  custom: {
    id: 'id',
    kind: 'type',
    name: 'custom.name',
    arguments: 'custom.input',
    cacheControl: 'cache_control',
  },
};

const partFields: Fields<ContentPart> = { type: 'type', text: 'text', cacheControl: 'cache_control' };
const imageFields: Fields<ContentPart> = {
  ...partFields,
  url: 'image_url.url',
  detail: 'image_url.detail',
};
const fileFields: Fields<ContentPart> = { ...partFields, filename: 'file.filename' };

type MediaField = 'image_url' | 'file_data' | 'file_url' | 'input_audio' | 'video_url';

const mediaFields: Readonly<Record<MediaField, Fields<ContentPart>>> = {
  image_url: imageFields,
  file_data: { ...fileFields, url: 'file.file_data' },
  file_url: { ...fileFields, url: 'file.file_url' },
  input_audio: { ...partFields, url: 'input_audio.data' },
  video_url: { ...partFields, url: 'video_url.url' },
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

/** `reasoning`: the caller's name of that field. */
export const messageSource = (position: number, reasoning = 'reasoning_content'): Source => ({
  path: `messages.${position}`,
  fields: { ...messageFields, reasoning },
});

/** `media`: the field that holds what is not text. */
export const partSource = (content: string, position: number, media?: MediaField): Source => ({
  path: `${content}.${position}`,
  fields: media === undefined ? partFields : mediaFields[media],
});

export const callSource = (message: string, position: number, kind: Kind): Source => ({
  path: `${message}.tool_calls.${position}`,
  fields: callFields[kind],
});

export const toolSource = (position: number, kind: Kind): Source => ({
  path: `tools.${position}`,
  fields: toolFields[kind],
});
