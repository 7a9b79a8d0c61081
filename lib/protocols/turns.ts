/**
 * Conversations for protocols whose turns consist of blocks: which messages share a turn, and the common requirements for
 * tool calls. The protocol itself decides how a block looks.
 */

import { isJsonObject } from '../core/formats/json-object.ts';
import { parseJson } from '../core/formats/parse-json.ts';
import { startOf } from '../core/generation/conversation.ts';
import type {
  AssistantText,
  ContentPart,
  JsonObject,
  Message,
  SystemMessage,
  TextPart,
  ToolCall,
  UserMessage,
} from '../core/generation/request.ts';

export type TurnMessage = Exclude<Message, SystemMessage>;

/** A block of a turn. A text block has a `text` in all these protocols. */
type Block = JsonObject;

export interface Turn {
  readonly role: 'user' | 'assistant';
  readonly content: readonly Block[];
  /** Not supported by the protocol: sent so that the provider rejects it. */
  readonly name?: string;
}

interface OpenTurn {
  readonly role: 'user' | 'assistant';
  readonly results: Block[];
  readonly others: Block[];
  name?: string;
}

/**
 * Joins adjacent messages of one role into one turn. Tool results come first in a turn: all results of an assistant turn
 * must follow it directly. Messages without blocks are omitted.
 */
export function toTurns(
  messages: readonly Message[],
  blocksOf: (message: TurnMessage) => readonly Block[],
): readonly Turn[] {
  const turns: OpenTurn[] = [];
  const start = startOf(messages);
  for (const [position, given] of messages.entries()) {
    if (position < start) continue;
    const message = given.role === 'system' ? asUser(given) : given;
    const blocks = blocksOf(message);
    if (blocks.length === 0) continue;
    const turn = openTurn(turns, message.role === 'assistant' ? 'assistant' : 'user', message.name);
    (message.role === 'tool' ? turn.results : turn.others).push(...blocks);
    if (message.name !== undefined) turn.name = message.name;
  }
  return turns.map(({ role, name, results, others }) => ({
    role,
    ...(name !== undefined && { name }),
    content: [...results, ...others],
  }));
}

/**
 * The system messages at the start of the conversation, as the blocks that `blocksOf` returns. Later system messages stay
 * in place as text of the user: earlier messages must not change, because signed reasoning depends on them and they may be
 * cached.
 */
export function toSystem(
  messages: readonly Message[],
  blocksOf: (parts: readonly TextPart[], message: SystemMessage) => readonly Block[],
): readonly Block[] {
  return messages.slice(0, startOf(messages)).flatMap((message) => {
    if (message.role !== 'system') return [];
    const blocks = blocksOf(
      message.content.filter(({ text }) => !isBlank(text)),
      message,
    );
    const { name } = message;
    return name === undefined ? blocks : blocks.map((block) => ({ ...block, name }));
  });
}

/** A system message inside the conversation, for protocols that do not support one there. */
export function asUser({ content, ...rest }: SystemMessage): UserMessage {
  const said = content.filter(({ text }) => !isBlank(text));
  const parts = said.map((part) => ({ ...part, text: `<system>\n${part.text}\n</system>` }));
  return { ...rest, role: 'user', content: parts };
}

/** The open turn, or a new one where another role or another participant speaks. */
function openTurn(turns: OpenTurn[], role: 'user' | 'assistant', name: string | undefined): OpenTurn {
  const last = turns.at(-1);
  if (last?.role === role && (name === undefined || last.name === undefined || last.name === name))
    return last;
  const turn: OpenTurn = { role, results: [], others: [] };
  turns.push(turn);
  return turn;
}

/** Whether a text is blank. These protocols reject blank blocks. */
export function isBlank(text: string): boolean {
  return text.trim() === '';
}

/** The same as plain texts. */
export function writtenTexts(content: readonly TextPart[], refusal: string | undefined): readonly string[] {
  return writtenParts(content, refusal).map(({ text }) => text);
}

/** A part without its cache marker. */
export function unmarked(part: ContentPart): ContentPart {
  const { cacheControl: _, ...rest } = part;
  return rest;
}

/** The text that an assistant wrote, with a refusal as the last part. */
export function writtenParts(
  content: readonly AssistantText[],
  refusal: string | undefined,
): readonly AssistantText[] {
  const refused: AssistantText = { type: 'text', text: refusal ?? '' };
  return [...content, refused].filter(({ text }) => !isBlank(text));
}

/**
 * The arguments of a call as an object. An empty text means no arguments. Anything else is sent as the text that it is, so
 * that the provider rejects it.
 */
export function readArguments({ arguments: text }: ToolCall): JsonObject | string {
  if (isBlank(text)) return {};
  const value = parseJson(text);
  return isJsonObject(value) ? value : text;
}

/** A tool's schema in the form that these protocols accept: always of an object. */
export function inputSchema(parameters: JsonObject | undefined): JsonObject {
  return parameters ? { type: 'object', ...parameters } : { type: 'object', properties: {} };
}

/** The blocks of one text, call or search, and its position if the message has positions. */
export interface Piece<Block> {
  readonly position?: number | undefined;
  readonly blocks: readonly Block[];
}

export interface PositionedBlock<Block> {
  readonly position: number;
  readonly block: Block;
}

/**
 * All blocks of a message. If the pieces have no positions, all texts are one piece, which comes before the calls, and the
 * position of a reasoning piece is the number of pieces and other reasoning before it.
 */
export function inOrder<Block>(
  reasoning: readonly PositionedBlock<Block>[],
  texts: readonly Piece<Block>[],
  others: readonly Piece<Block>[],
): readonly Block[] {
  const all = [...texts, ...others];
  if (all.some(({ position }) => position !== undefined)) {
    const thoughts = reasoning.map(({ position, block }) => ({ position, blocks: [block] }));
    const sorted = [...thoughts, ...all].toSorted((one, other) => rank(one) - rank(other));
    return sorted.flatMap(({ blocks }) => blocks);
  }
  return between(reasoning, [
    texts.flatMap(({ blocks }) => blocks),
    ...others.map(({ blocks }) => [...blocks]),
  ]);
}

/** A piece without a position comes after those that have one. */
const rank = ({ position = Number.MAX_VALUE }: { readonly position?: number | undefined }) => position;

function between<Block>(
  reasoning: readonly PositionedBlock<Block>[],
  pieces: readonly (readonly Block[])[],
): readonly Block[] {
  const left = pieces.filter((piece) => piece.length > 0);
  const blocks: Block[] = [];
  let placed = 0;
  for (const { position, block } of reasoning) {
    const before = left.splice(0, Math.max(0, position - placed));
    blocks.push(...before.flat(), block);
    placed += before.length + 1;
  }
  return [...blocks, ...left.flat()];
}
