/** Where the caller of the Responses operation finds what a request holds. */

import {
  type FieldOf,
  type FieldPaths,
  type Source,
  type Sourced,
  source,
  wholeSource,
} from '../../../core/generation/original/source.ts';
import type {
  AssistantMessage,
  ContentPart,
  HostedTool,
  Message,
  Tool,
  ToolCall,
  WebSearchTool,
} from '../../../core/generation/request.ts';
import type { InputItem } from './item.ts';
import type { ItemBody } from './item-schema.ts';

type Fields<Item> = Readonly<Partial<Record<FieldOf<Item>, string | undefined>>>;

const messageFields: Fields<Message> = { role: 'role', name: 'name', content: 'content' };
const callFields: Fields<ToolCall> = { id: 'call_id', name: 'name', arguments: 'arguments' };
const customFields: Fields<ToolCall> = { id: 'call_id', name: 'name', arguments: 'input' };
const resultFields: Fields<Message> = { toolCallId: 'call_id', content: 'output' };
const textFields: Fields<ContentPart> = { type: 'type', text: 'text' };
const imageFields: Fields<ContentPart> = { type: 'type', url: 'image_url', detail: 'detail' };

/** All that a stored response holds. */
export const earlierSource = wholeSource('previous_response_id');

/** An item and its parts with their sources. `body`: the item as the caller wrote it. */
export function withSources(item: InputItem, body: ItemBody, position: number): InputItem {
  const from: Source = { path: `input.${position}`, fields: fieldsOf(item) };
  const path = contentPath(from);
  const isText = 'content' in body && typeof body.content === 'string';
  const withSource = <Part extends { readonly type: string }>(part: Part, index: number) => ({
    ...part,
    [source]: isText ? wholeSource(path) : { path: `${path}.${index}`, fields: fieldsOfPart(part) },
  });
  if ('output' in item && typeof item.output !== 'string') {
    return { ...item, output: item.output.map(withSource), [source]: from };
  }
  if (item.type !== 'message') return { ...item, [source]: from };
  return item.role === 'assistant'
    ? { ...item, content: item.content.map(withSource), [source]: from }
    : { ...item, content: item.content.map(withSource), [source]: from };
}

/** Under the names of the internal object that the item becomes. */
function fieldsOf({ type }: InputItem): FieldPaths {
  if (type === 'message') return messageFields;
  if (type === 'function_call') return callFields;
  if (type === 'custom_tool_call') return customFields;
  return type === 'function_call_output' || type === 'custom_tool_call_output' ? resultFields : {};
}

function fieldsOfPart({
  type,
  file_data: data,
}: {
  readonly type: string;
  readonly file_data?: string;
}): FieldPaths {
  if (type === 'input_image') return imageFields;
  if (type !== 'input_file') return textFields;
  return { type: 'type', filename: 'filename', url: data === undefined ? 'file_url' : 'file_data' };
}

/** The path of what an item says: its content, or its output. */
export function contentPath({ path, fields }: Source): string {
  return fields.content === undefined ? path : `${path}.${fields.content}`;
}

/** A turn may be several items: its own path is that of the first, and each field is found in the first that has it. */
export function turnSource(items: readonly (Sourced & { readonly type: string })[]): Source | undefined {
  const first = (type: string) => items.find((item) => item.type === type)?.[source];
  const message = first('message');
  const reasoning = first('reasoning')?.path;
  const elsewhere: Fields<AssistantMessage> = {
    content: message && contentPath(message),
    refusal: message?.path,
    toolCalls: (first('function_call') ?? first('custom_tool_call'))?.path,
    reasoning,
    reasoningDetails: reasoning,
    webSearches: first('web_search_call')?.path,
    items: first('protocol_item')?.path,
  };
  const path = items[0]?.[source]?.path;
  return path === undefined ? undefined : { path, fields: {}, elsewhere };
}

const nestedFields: Fields<Tool> = {
  kind: 'type',
  name: 'function.name',
  description: 'function.description',
  parameters: 'function.parameters',
  strict: 'function.strict',
};
const flatFields: Fields<Tool> = {
  kind: 'type',
  name: 'name',
  description: 'description',
  parameters: 'parameters',
  strict: 'strict',
  format: 'format',
};
const hostedFields: Fields<HostedTool> = { tool: 'type' };
const searchFields: Fields<WebSearchTool> = {
  type: 'type',
  contextSize: 'search_context_size',
  userLocation: 'user_location',
  allowedDomains: 'filters.allowed_domains',
  externalAccess: 'external_web_access',
  contentTypes: 'search_content_types',
};

/** `namespace`: the path of the tool's namespace. */
export function functionSource(isNested: boolean, path: string, namespace?: string): Source {
  const fields = isNested ? nestedFields : flatFields;
  return { path, fields, ...(namespace !== undefined && { elsewhere: { namespace } }) };
}

export function hostedSource(position: number): Source {
  return { path: `tools.${position}`, fields: hostedFields };
}

export function searchSource(position: number): Source {
  return { path: `tools.${position}`, fields: searchFields };
}
