/** Reads the items of a request as the messages of a conversation. */
import * as z from 'zod/mini';
import { lazy } from '../../../async/lazy.ts';
import { type Sourced, source, wholeSource } from '../../../core/generation/original/source.ts';
import { openaiFormat } from '../../../core/generation/reasoning-format.ts';
import type {
  AssistantMessage,
  ContentPart,
  JsonObject,
  Message,
  ProtocolItem,
  ReasoningDetail,
  TextPart,
  ToolCall,
} from '../../../core/generation/request.ts';
import { readFile } from '../../file-schema.ts';
import { decodeReasoning } from '../write/encrypted-content.ts';
import { isMadeUp } from '../write/ids.ts';
import type { History } from './history.ts';
import type {
  AssistantItem,
  CallOutput,
  ConversationItem,
  CustomCallItem,
  FunctionCallItem,
  InputContent,
  InputMessage,
  ProtocolItemInput,
  ReasoningInput,
  WebSearchInput,
} from './item.ts';
import { addingTypes } from './item-schema.ts';
import type { ResponsesInput } from './read.ts';
import { readAddedTools } from './read-tools.ts';
import { contentPath, turnSource } from './sources.ts';
import { toolSchema } from './tool-schema.ts';

export function readConversation(
  { instructions }: Pick<ResponsesInput, 'instructions'>,
  { earlier, items }: History,
): readonly Message[] {
  return [...readInstructions(instructions), ...groupsOf([...earlier, ...items]).map(readGroup)];
}

function readInstructions(text: string | undefined): readonly Message[] {
  if (!text) return [];
  const from = { [source]: wholeSource('instructions') };
  return [{ role: 'system', content: [{ type: 'text', text, ...from }], ...from }];
}

/** Neighbours that the model made in one turn become one message; every other item is a message of its own. */
type Group =
  | { readonly type: 'single'; readonly item: InputMessage | CallOutput }
  | { readonly type: 'turn'; readonly items: TurnItem[] };

type TurnItem =
  | AssistantItem
  | ReasoningInput
  | FunctionCallItem
  | CustomCallItem
  | WebSearchInput
  | ProtocolItemInput;

function groupsOf(items: readonly ConversationItem[]): readonly Group[] {
  const groups: Group[] = [];
  for (const item of items) {
    if (!isOfTurn(item)) {
      groups.push({ type: 'single', item });
      continue;
    }
    const last = groups.at(-1);
    if (last?.type === 'turn') last.items.push(item);
    else groups.push({ type: 'turn', items: [item] });
  }
  return groups;
}

function isOfTurn(item: ConversationItem): item is TurnItem {
  return item.type === 'message' ? item.role === 'assistant' : !isOutput(item);
}

function isOutput(item: ConversationItem): item is CallOutput {
  return item.type === 'function_call_output' || item.type === 'custom_tool_call_output';
}

function readGroup(group: Group): Message {
  return group.type === 'turn' ? readTurn(group.items) : readSingle(group.item);
}

/** The same source for what an item becomes. */
const sourceOf = ({ [source]: from }: Sourced): Sourced => (from ? { [source]: from } : {});

function readSingle(item: InputMessage | CallOutput): Message {
  const from = sourceOf(item);
  if (isOutput(item)) {
    const { call_id: toolCallId, output } = item;
    const parts = typeof output === 'string' ? [] : output.map((part) => readPart(part, item));
    // A result without parts is an empty text: every protocol has texts, and few have nothing.
    const content = parts.length > 0 ? parts : [readOutput(typeof output === 'string' ? output : '', item)];
    return { role: 'tool', toolCallId, content, ...from };
  }
  if (item.role === 'user') {
    return { role: 'user', content: item.content.map((part) => readPart(part, item)), ...from };
  }
  const texts = item.content.flatMap((part) => (part.type === 'input_text' ? [readText(part, item)] : []));
  return { role: 'system', content: texts, ...from };
}

function readOutput(text: string, { [source]: from }: Sourced): TextPart {
  return { type: 'text', text, ...(from && { [source]: wholeSource(contentPath(from)) }) };
}

/** A part without a source has that of its item. */
const partSourceOf = (part: Sourced, item: Sourced): Sourced => sourceOf(part[source] ? part : item);

const readText = (part: { readonly text: string } & Sourced, item: Sourced): TextPart => ({
  type: 'text',
  text: part.text,
  ...partSourceOf(part, item),
});

/** `auto` is what every provider does by default. */
function readPart(part: InputContent, item: Sourced): ContentPart {
  if (part.type === 'input_text') return readText(part, item);
  const from = partSourceOf(part, item);
  if (part.type === 'input_image') {
    const { image_url: url, detail } = part;
    return { type: 'image', url, ...(detail !== 'auto' && { detail }), ...from };
  }
  const { field: _, ...file } = readFile(part);
  return { type: 'file', ...file, ...from };
}

/** The position of an item in the turn is the position of everything in it. */
function readTurn(items: readonly TurnItem[]): AssistantMessage {
  const from = turnSource(items);
  const refusal = items.flatMap(refusalsOf).join('');
  const protocolItems = items.flatMap((item, position) =>
    item.type === 'protocol_item' ? [readProtocolItem(item, position)] : [],
  );
  const webSearches = items.flatMap((item, position) =>
    item.type === 'web_search_call'
      ? [{ id: item.id ?? `ws_${position}`, action: item.action, position }]
      : [],
  );
  return {
    role: 'assistant',
    content: items.flatMap(textsOf),
    toolCalls: items.flatMap(readCall),
    ...readReasoning(items.map((item) => (item.type === 'reasoning' ? item : undefined))),
    ...(refusal !== '' && { refusal }),
    ...(webSearches.length > 0 && { webSearches }),
    ...(protocolItems.length > 0 && { items: protocolItems }),
    ...(from && { [source]: from }),
  };
}

function readCall(item: TurnItem, position: number): readonly ToolCall[] {
  if (item.type !== 'function_call' && item.type !== 'custom_tool_call') return [];
  const { call_id: id, name, namespace } = item;
  const called = { id, name, ...(namespace !== undefined && { namespace }), position, ...sourceOf(item) };
  return item.type === 'function_call'
    ? [{ ...called, arguments: item.arguments }]
    : [{ ...called, kind: 'custom', arguments: item.input }];
}

/** Without an id that the gateway made up: providers take only prefixes of their own. */
function readProtocolItem({ item, [source]: from }: ProtocolItemInput, position: number): ProtocolItem {
  const { id, ...others } = item;
  const added = z.safeParse(addedTools(), item.tools);
  return {
    item: typeof id === 'string' && isMadeUp(id) ? others : item,
    position,
    ...(isAdding(item) && added.success && { tools: readAddedTools(added.data, `${from?.path}.tools`) }),
    ...(from && { [source]: from }),
  };
}

const addedTools = lazy(() => z.array(toolSchema()));

const isAdding = ({ type }: JsonObject) => addingTypes.some((known) => known === type);

function textsOf(item: TurnItem, position: number): AssistantMessage['content'] {
  if (item.type !== 'message') return [];
  const phase = item.phase === undefined ? {} : { phase: item.phase };
  return item.content.flatMap((part) =>
    part.type === 'output_text' ? [{ ...readText(part, item), position, ...phase }] : [],
  );
}

function refusalsOf(item: TurnItem): readonly string[] {
  if (item.type !== 'message') return [];
  return item.content.flatMap((part) => (part.type === 'refusal' ? [part.refusal] : []));
}

/** `items`: those of the turn, at their positions; undefined for items of other types. */
function readReasoning(
  items: readonly (ReasoningInput | undefined)[],
): Pick<AssistantMessage, 'reasoning' | 'reasoningDetails'> {
  const reasoningDetails: ReasoningDetail[] = [];
  for (const [position, item] of items.entries()) {
    const details = item ? detailsOf(item, reasoningDetails.length) : [];
    reasoningDetails.push(...details.map((detail) => ({ ...detail, position })));
  }
  if (reasoningDetails.length > 0) return { reasoningDetails };
  const reasoning = items.flatMap((item) => (item ? readableOf(item) : [])).join('\n\n');
  return { reasoningDetails, ...(reasoning !== '' && { reasoning }) };
}

/** What the gateway did not seal is taken as OpenAI's own: its whole item goes back, if anywhere, to OpenAI. */
function detailsOf(item: ReasoningInput, index: number): readonly ReasoningDetail[] {
  const { id, summary, encrypted_content: data } = item;
  if (data === undefined) return [];
  const encoded = decodeReasoning(data);
  if (encoded) return encoded;
  const base = { format: openaiFormat, ...(id !== undefined && { id }) };
  return [
    ...summary.map(({ text }, position) => {
      return { ...base, type: 'reasoning.summary' as const, summary: text, index: index + position };
    }),
    { ...base, type: 'reasoning.encrypted', data, index: index + summary.length },
  ];
}

/** The readable part of an item: its summary, or the reasoning itself of open models. */
function readableOf({ summary, content = [] }: ReasoningInput): readonly string[] {
  return (summary.length > 0 ? summary : content).map(({ text }) => text).filter((text) => text !== '');
}
