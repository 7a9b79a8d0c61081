/** Where the caller of the Messages operation finds what a request holds. */

import type { FieldOf, Source } from '../../../../core/generation/original/source.ts';
import type {
  ContentPart,
  Message,
  Tool,
  ToolCall,
  WebSearchTool,
} from '../../../../core/generation/request.ts';

type Fields<Item> = Readonly<Partial<Record<FieldOf<Item>, string>>>;

const messageFields: Fields<Message> = {
  role: 'role',
  content: 'content',
  toolCalls: 'content',
  reasoning: 'content',
  reasoningDetails: 'content',
  webSearches: 'content',
};
const resultFields: Fields<Message> = {
  toolCallId: 'tool_use_id',
  content: 'content',
  cacheControl: 'cache_control',
};
const callFields: Fields<ToolCall> = {
  id: 'id',
  name: 'name',
  arguments: 'input',
  cacheControl: 'cache_control',
};
const partFields: Fields<ContentPart> = { type: 'type', text: 'text', cacheControl: 'cache_control' };
const linkFields: Fields<ContentPart> = { ...partFields, url: 'source.url', filename: 'title' };
const dataFields: Fields<ContentPart> = { ...partFields, url: 'source.data', filename: 'title' };
const toolFields: Fields<Tool> = {
  kind: 'type',
  name: 'name',
  description: 'description',
  parameters: 'input_schema',
  strict: 'strict',
  cacheControl: 'cache_control',
};
const searchFields: Fields<WebSearchTool> = {
  type: 'type',
  userLocation: 'user_location',
  allowedDomains: 'allowed_domains',
};

export const messageSource = (path: string): Source => ({ path, fields: messageFields });
export const resultSource = (path: string): Source => ({ path, fields: resultFields });
export const callSource = (path: string): Source => ({ path, fields: callFields });
export const partSource = (path: string): Source => ({ path, fields: partFields });
export const toolSource = (path: string): Source => ({ path, fields: toolFields });
export const searchSource = (path: string): Source => ({ path, fields: searchFields });

/** Of what is not text. */
export const mediaSource = (path: string, isLink: boolean): Source => ({
  path,
  fields: isLink ? linkFields : dataFields,
});
