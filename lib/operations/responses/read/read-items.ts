/** The items of a request as messages of a conversation. */
import type { AssistantMessage, ContentPart, Message } from '../../../core/generation/request.ts';
import type { History } from './history.ts';
import type {
  AssistantItem,
  ConversationItem,
  FunctionCallItem,
  FunctionCallOutput,
  InputContent,
  InputMessage,
  PlacedItem,
  ReasoningInput,
  WebSearchInput,
} from './item.ts';
import type { ReadMessage } from './public-message-param.ts';
import { publicParams } from './public-param.ts';
import type { ResponsesInput } from './read.ts';
import { readReasoning } from './read-reasoning.ts';

export interface Conversation {
  readonly messages: readonly Message[];
  /** The caller's word for a field that the house names; what it does not know stays as it is. */
  toPublicParam(param: string): string;
}

type ReadInput = Pick<ResponsesInput, 'instructions' | 'body' | 'request'>;

export function readConversation(input: ReadInput, history: History): Conversation {
  const placed = [...history.earlier, ...history.items].map((item, position) => ({ item, position }));
  const read = [...readInstructions(input.instructions), ...groupsOf(placed).map(readGroup)];
  return {
    messages: read.map(({ message }) => message),
    toPublicParam: publicParams(input, read, history.earlier.length),
  };
}

function readInstructions(text: string | undefined): readonly ReadMessage[] {
  return text ? [{ message: { role: 'system', content: [{ type: 'text', text }] }, from: [] }] : [];
}

/** Neighbours that the model made in one turn are one message; every other item is one by itself. */
type Group =
  | { readonly type: 'single'; readonly placed: PlacedItem<InputMessage | FunctionCallOutput> }
  | { readonly type: 'turn'; readonly placed: PlacedItem<TurnItem>[] };

type TurnItem = AssistantItem | ReasoningInput | FunctionCallItem | WebSearchInput;

function groupsOf(placed: readonly PlacedItem[]): readonly Group[] {
  const groups: Group[] = [];
  for (const { item, position } of placed) {
    if (!isOfTurn(item)) {
      groups.push({ type: 'single', placed: { item, position } });
      continue;
    }
    const last = groups.at(-1);
    if (last?.type === 'turn') last.placed.push({ item, position });
    else groups.push({ type: 'turn', placed: [{ item, position }] });
  }
  return groups;
}

function isOfTurn(item: ConversationItem): item is TurnItem {
  return item.type === 'message' ? item.role === 'assistant' : item.type !== 'function_call_output';
}

function readGroup({ type, placed }: Group): ReadMessage {
  if (type === 'turn') return { message: readTurn(placed.map(({ item }) => item)), from: placed };
  return { message: readSingle(placed.item), from: [placed] };
}

function readSingle(item: InputMessage | FunctionCallOutput): Message {
  if (item.type === 'function_call_output') {
    const { call_id: toolCallId, output } = item;
    const parts = typeof output === 'string' ? [asText(output)] : output.map(readPart);
    // A result of no parts is an empty one: every wire has texts, and few have nothing.
    const content = parts.length > 0 ? parts : [asText('')];
    return { role: 'tool', toolCallId, content };
  }
  if (item.role === 'user') return { role: 'user', content: item.content.map(readPart) };
  const texts = item.content.flatMap((part) => (part.type === 'input_text' ? [asText(part.text)] : []));
  return { role: 'system', content: texts };
}

const asText = (text: string) => ({ type: 'text', text }) as const;

/** `auto` is what every provider does by itself. */
function readPart(part: InputContent): ContentPart {
  if (part.type === 'input_text') return asText(part.text);
  if (part.type === 'input_image') {
    const { image_url: url, detail } = part;
    return { type: 'image', url, ...(detail !== 'auto' && { detail }) };
  }
  const { file_data, file_url = '', filename } = part;
  return { type: 'file', url: file_data ?? file_url, ...(filename !== undefined && { filename }) };
}

/** Each item's place in the turn is the place of all that it holds. */
function readTurn(items: readonly TurnItem[]): AssistantMessage {
  const refusal = items.flatMap(refusalsOf).join('');
  const webSearches = items.flatMap((item, place) =>
    item.type === 'web_search_call' ? [{ id: item.id ?? `ws_${place}`, action: item.action, place }] : [],
  );
  return {
    role: 'assistant',
    content: items.flatMap(textsOf),
    toolCalls: items.flatMap((item, place) =>
      item.type === 'function_call'
        ? [{ id: item.call_id, name: item.name, arguments: item.arguments, place }]
        : [],
    ),
    ...readReasoning(items.map((item) => (item.type === 'reasoning' ? item : undefined))),
    ...(refusal !== '' && { refusal }),
    ...(webSearches.length > 0 && { webSearches }),
  };
}

function textsOf(item: TurnItem, place: number): AssistantMessage['content'] {
  if (item.type !== 'message') return [];
  const phase = item.phase === undefined ? {} : { phase: item.phase };
  return item.content.flatMap((part) =>
    part.type === 'output_text' ? [{ type: 'text' as const, text: part.text, place, ...phase }] : [],
  );
}

function refusalsOf(item: TurnItem): readonly string[] {
  if (item.type !== 'message') return [];
  return item.content.flatMap((part) => (part.type === 'refusal' ? [part.refusal] : []));
}
