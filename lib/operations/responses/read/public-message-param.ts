/** Where the caller finds what the house names as a field of a message. */
import type { Message } from '../../../core/generation/request.ts';
import type { ConversationItem, PlacedItem } from './item.ts';
import type { ResponsesBody } from './schema.ts';

/** A message, and the items that it was made of; the instructions were none. */
export interface ReadMessage {
  readonly message: Message;
  readonly from: readonly PlacedItem[];
}

/** The steps of a field's path. */
export type Path = readonly string[];

export function publicMessageParam(
  input: ResponsesBody['input'],
  { message, from }: ReadMessage,
  path: Path,
  earlier: number,
): string {
  if (from.length === 0) return 'instructions';
  const { placed, rest } =
    message.role === 'assistant' ? inTurn(from, path) : { placed: from[0], rest: inSingle(from[0], path) };
  if (!placed || placed.position < earlier) return 'previous_response_id';
  if (typeof input === 'string') return 'input';
  const position = placed.position - earlier;
  const item = input[position];
  return ['input', `${position}`, ...(item ? written(item, placed.item, rest) : [])].join('.');
}

interface Found {
  readonly placed: PlacedItem | undefined;
  readonly rest: Path;
}

const callFields: ReadonlyMap<string, string> = new Map([
  ['id', 'call_id'],
  ['function.name', 'name'],
  ['function.arguments', 'arguments'],
]);

/** The fields of an assistant message, and the type of the items that they come from. */
const sources: ReadonlyMap<string, ConversationItem['type']> = new Map([
  ['content', 'message'],
  ['refusal', 'message'],
  ['tool_calls', 'function_call'],
  ['reasoning', 'reasoning'],
  ['reasoning_content', 'reasoning'],
  ['reasoning_details', 'reasoning'],
  ['web_searches', 'web_search_call'],
]);

/** A turn is several items: that of the field, and of those the one that is counted. */
function inTurn(from: readonly PlacedItem[], [field = '', index, ...rest]: Path): Found {
  const own = from.filter(({ item }) => item.type === sources.get(field));
  if (field === 'content' && index !== undefined) return textAt(own, Number(index));
  if (field === 'tool_calls') {
    const called = callFields.get(rest.join('.'));
    return { placed: own[Number(index ?? 0)] ?? from[0], rest: called === undefined ? [] : [called] };
  }
  return { placed: own[0] ?? from[0], rest: field === 'content' ? ['content'] : [] };
}

function textAt(messages: readonly PlacedItem[], index: number): Found {
  const texts = messages.flatMap((placed) => {
    const parts = placed.item.type === 'message' ? placed.item.content : [];
    return parts.flatMap(({ type }, part) =>
      type === 'output_text' ? [{ placed, rest: ['content', `${part}`] }] : [],
    );
  });
  return texts[index] ?? { placed: messages[0], rest: [] };
}

/** In the house an image and a file are objects inside their part. */
function inSingle(placed: PlacedItem | undefined, [field, part, kind, ...rest]: Path): Path {
  const isOutput = placed?.item.type === 'function_call_output';
  if (field === 'tool_call_id') return ['call_id'];
  if (field !== 'content') return [field, part, kind, ...rest].filter((step) => step !== undefined);
  const inPart = kind === 'image_url' ? ['image_url'] : kind === 'file' ? rest : [kind, ...rest];
  return [isOutput ? 'output' : 'content', part, ...inPart].filter((step) => step !== undefined);
}

type ItemBody = Exclude<ResponsesBody['input'], string>[number];

/** As far as the caller wrote it: a reference has no fields of its own, and a mere text no parts. */
function written(body: ItemBody, item: ConversationItem, path: Path): Path {
  const [field = ''] = path;
  const isThere = body.type === item.type || (item.type === 'message' && 'role' in body);
  if (!isThere || path.length === 0) return [];
  const isText =
    ('content' in body && field === 'content' && typeof body.content === 'string') ||
    ('output' in body && field === 'output' && typeof body.output === 'string');
  return isText ? [field] : path;
}
