/**
 * Repairs that every protocol needs: each tool call has its result right after it, and each result its call.
 *
 * The gateway invents no message: a call without a result is left out, and a result without a call becomes a message of
 * the user.
 */
import type { AssistantMessage, Message, ToolCall, ToolMessage } from '../core/generation/request.ts';
import { pathOf, source } from '../core/generation/source.ts';
import type { Change, Repaired } from './rule.ts';

interface Result {
  readonly message: ToolMessage;
  /** Its position in the conversation. */
  readonly position: number;
}

/** Which results belong to the assistant message at a position, by the id of the call. */
type Results = ReadonlyMap<number, ReadonlyMap<string, Result>>;

export function pairResults(messages: readonly Message[]): Repaired {
  if (!messages.some(isOfCalls)) return { messages, changes: [] };
  const results = findResults(messages);
  const isApart = separations(messages);
  const answering = new Set(
    [...results.values()].flatMap((own) => [...own.values()]).map(({ position }) => position),
  );
  // Lists of changes and not their members: too many members would not fit into one call.
  const changes: (readonly Change[])[] = [];
  const paired = messages.flatMap((message, position): readonly Message[] => {
    if (message.role === 'tool') {
      if (answering.has(position)) return [];
      changes.push([orphan(message)]);
      return [asUser(message)];
    }
    if (message.role !== 'assistant') return [message];
    const own = results.get(position) ?? new Map<string, Result>();
    const moved = [...own.values()].filter((result) => isApart(position, result.position));
    const moves = moved.map((result) => moving(result, message, messages));
    changes.push(unanswered(message, own), moves);
    return [withCalls(message, own), ...[...own.values()].map((result) => result.message)];
  });
  return { messages: paired, changes: changes.flat() };
}

const isOfCalls = (message: Message): boolean =>
  message.role === 'tool' || (message.role === 'assistant' && message.toolCalls.length > 0);

function findResults(messages: readonly Message[]): Results {
  const results = new Map<number, Map<string, Result>>();
  const open = new Map<string, number>();
  for (const [position, message] of messages.entries()) {
    if (message.role === 'assistant') for (const { id } of message.toolCalls) open.set(id, position);
    if (message.role !== 'tool') continue;
    const call = open.get(message.toolCallId);
    if (call === undefined) continue;
    open.delete(message.toolCallId);
    const own = results.get(call) ?? new Map<string, Result>();
    results.set(call, own.set(message.toolCallId, { message, position }));
  }
  return results;
}

/** Whether there are other messages than results between a call and its result. */
function separations(messages: readonly Message[]): (call: number, result: number) => boolean {
  let others = 0;
  const upTo = messages.map(({ role }) => {
    if (role !== 'tool') others += 1;
    return others;
  });
  return (call, result) => upTo[call] !== upTo[result];
}

/** The calls of a turn that have a result: of two with one id, the first. */
function answeredOf(
  toolCalls: readonly ToolCall[],
  results: ReadonlyMap<string, unknown>,
): ReadonlySet<ToolCall> {
  const firsts = new Map(toolCalls.toReversed().map((call) => [call.id, call]));
  return new Set([...firsts.values()].filter(({ id }) => results.has(id)));
}

function withCalls(message: AssistantMessage, results: ReadonlyMap<string, unknown>): AssistantMessage {
  const answered = answeredOf(message.toolCalls, results);
  const toolCalls = message.toolCalls.filter((call) => answered.has(call));
  return toolCalls.length === message.toolCalls.length ? message : { ...message, toolCalls };
}

/** Without the name, which was the tool's. */
function asUser({ content, cacheControl, [source]: from }: ToolMessage): Message {
  return { role: 'user', content, ...(cacheControl && { cacheControl }), ...(from && { [source]: from }) };
}

function unanswered(
  { toolCalls }: AssistantMessage,
  results: ReadonlyMap<string, unknown>,
): readonly Change[] {
  const answered = answeredOf(toolCalls, results);
  return toolCalls.flatMap((call): readonly Change[] => {
    if (answered.has(call)) return [];
    const before = { id: call.id, name: call.name };
    return [
      { param: pathOf(call), action: 'strip', before, after: null, reason: 'The tool call has no result.' },
    ];
  });
}

function orphan(message: ToolMessage): Change {
  return {
    param: pathOf(message),
    action: 'override',
    before: { role: 'tool', tool_call_id: message.toolCallId },
    after: { role: 'user' },
    reason: 'The tool result does not match an earlier tool call.',
  };
}

/** `turn`: the message with the call. */
function moving({ message, position }: Result, turn: Message, messages: readonly Message[]): Change {
  return {
    param: pathOf(message),
    action: 'override',
    before: { after: pathOf(messages[position - 1] ?? turn) },
    after: { after: pathOf(turn) },
    reason: 'Tool results must directly follow their tool call.',
  };
}
