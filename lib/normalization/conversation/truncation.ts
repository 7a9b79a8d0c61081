/**
 * Drops the middle of a conversation that is too long for its model: `truncation: auto` of the Responses operation. A
 * call and its results stay or go together. Instructions, the first exchange and the latest ones stay.
 */
import { pathOf } from '../../core/generation/original/source.ts';
import type { ContentPart, GenerationRequest, Message } from '../../core/generation/request.ts';
import { type Change, stripped } from '../rule.ts';

export interface Shortened {
  readonly request: GenerationRequest;
  /** One record for each run of dropped messages. */
  readonly changes: readonly Change[];
}

/** The size of an image, in characters: models count images by pixels, not by bytes. */
const imageCharacters = 4_000;

/** Documents in base64 hold more bytes than text. */
const fileShare = 1 / 8;

/**
 * The request with at most `maxCharacters`, or as few as possible, by dropping messages from its middle. Undefined if
 * nothing can be dropped.
 */
export function shorten(request: GenerationRequest, maxCharacters: number): Shortened | undefined {
  const { messages } = request;
  let size = charactersOf(request);
  const dropped = new Set<number>();
  for (const unit of middleOf(messages)) {
    if (size <= maxCharacters && dropped.size > 0) break;
    for (const position of unit) {
      dropped.add(position);
      size -= sizeOf(messages[position]);
    }
  }
  if (dropped.size === 0) return undefined;
  const left = messages.filter((_, position) => !dropped.has(position));
  return { request: { ...request, messages: left }, changes: toRecords(messages, dropped) };
}

export function charactersOf({ messages, tools }: GenerationRequest): number {
  const ofMessages = messages.reduce((sum, message) => sum + sizeOf(message), 0);
  return ofMessages + (tools.length > 0 ? JSON.stringify(tools).length : 0);
}

/** What may be dropped, oldest first: all but the first unit, the user's last message and the last unit. */
function middleOf(messages: readonly Message[]): readonly (readonly number[])[] {
  const question = messages.findLastIndex(({ role }) => role === 'user');
  return unitsOf(messages)
    .slice(1, -1)
    .filter((unit) => !unit.includes(question));
}

/** Groups of messages that stay or go together. Instructions are in none of them. */
function unitsOf(messages: readonly Message[]): readonly (readonly number[])[] {
  const units: number[][] = [];
  const byCall = new Map<string, number[]>();
  for (const [position, message] of messages.entries()) {
    if (message.role === 'system') continue;
    const known = message.role === 'tool' ? byCall.get(message.toolCallId) : undefined;
    if (known) {
      known.push(position);
      continue;
    }
    const unit = [position];
    units.push(unit);
    if (message.role === 'assistant') for (const { id } of message.toolCalls) byCall.set(id, unit);
  }
  return units;
}

function sizeOf(message: Message | undefined): number {
  if (!message) return 0;
  const content = message.content.reduce((sum, part) => sum + sizeOfPart(part), 0);
  return message.role === 'assistant' ? content + sizeOfWork(message) : content;
}

function sizeOfPart(part: ContentPart): number {
  if (part.type === 'text') return part.text.length;
  return part.type === 'image' ? imageCharacters : part.url.length * fileShare;
}

function sizeOfWork({ toolCalls, reasoningDetails, items }: Message & { role: 'assistant' }): number {
  const calls = toolCalls.reduce((sum, call) => sum + call.name.length + call.arguments.length, 0);
  const details = [...reasoningDetails, ...(items ?? [])];
  return calls + (details.length > 0 ? JSON.stringify(details).length : 0);
}

function toRecords(messages: readonly Message[], dropped: ReadonlySet<number>): readonly Change[] {
  return messages.flatMap((message, start): Change[] => {
    if (!dropped.has(start) || dropped.has(start - 1)) return [];
    let end = start + 1;
    while (dropped.has(end)) end += 1;
    const reason = "The input exceeds the model's context window. Messages in the middle are removed.";
    const before = { messages: end - start };
    return [stripped(pathOf(message), before, reason)];
  });
}
