/**
 * Repairs of a conversation that every wire wants: each tool call has its result right behind it, each result its call.
 *
 * Nothing is written in anybody's name: a call that nobody answered is left out, and a result that answers no call
 * stays as what the user said.
 */
import type { AssistantMessage, Message, ToolCall, ToolMessage } from '../core/generation/request.ts';
import type { Change, Placed, Repaired } from './rule.ts';

interface PlacedResult {
  readonly message: ToolMessage;
  readonly position: number;
}

/** Which results belong to the assistant message at a position, by the id of the call. */
type Results = ReadonlyMap<number, ReadonlyMap<string, PlacedResult>>;

export function pairResults(messages: readonly Message[]): Repaired {
  const results = findResults(messages);
  const isApart = separations(messages);
  const answering = new Set(
    [...results.values()].flatMap((own) => [...own.values()]).map(({ position }) => position),
  );
  // Lists of changes and not their members: too many members would not fit into one call.
  const changes: (readonly Change[])[] = [];
  const paired = messages.flatMap((message, position): readonly Placed[] => {
    if (message.role === 'tool') {
      if (answering.has(position)) return [];
      changes.push([orphan(message, position)]);
      return [{ message: asUser(message), position }];
    }
    if (message.role !== 'assistant') return [{ message, position }];
    const own = results.get(position) ?? new Map<string, PlacedResult>();
    const moved = [...own.values()].filter((result) => isApart(position, result.position));
    const moves = moved.map((result) => moving(result, position));
    changes.push(unanswered(message, position, own), moves);
    return [{ message: withCalls(message, own), position }, ...own.values()];
  });
  return { messages: paired, changes: changes.flat() };
}

function findResults(messages: readonly Message[]): Results {
  const results = new Map<number, Map<string, PlacedResult>>();
  const open = new Map<string, number>();
  for (const [position, message] of messages.entries()) {
    if (message.role === 'assistant') for (const { id } of message.toolCalls) open.set(id, position);
    if (message.role !== 'tool') continue;
    const call = open.get(message.toolCallId);
    if (call === undefined) continue;
    open.delete(message.toolCallId);
    const own = results.get(call) ?? new Map<string, PlacedResult>();
    results.set(call, own.set(message.toolCallId, { message, position }));
  }
  return results;
}

/** Tells whether anything but results stands between a call and its result. */
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

/** Its name was the tool's, so that it does not stay. */
function asUser({ content, cacheControl }: ToolMessage): Message {
  return { role: 'user', content, ...(cacheControl && { cacheControl }) };
}

function unanswered(
  { toolCalls }: AssistantMessage,
  position: number,
  results: ReadonlyMap<string, unknown>,
): readonly Change[] {
  const answered = answeredOf(toolCalls, results);
  return toolCalls.flatMap((call, index): readonly Change[] => {
    if (answered.has(call)) return [];
    const { id, name } = call;
    const param = `messages.${position}.tool_calls.${index}`;
    return [{ param, action: 'strip', before: { id, name }, after: null, reason: 'The call has no result.' }];
  });
}

function orphan({ toolCallId }: ToolMessage, position: number): Change {
  return {
    param: `messages.${position}`,
    action: 'override',
    before: { role: 'tool', tool_call_id: toolCallId },
    after: { role: 'user' },
    reason: 'The result answers no tool call before it.',
  };
}

function moving({ position }: PlacedResult, call: number): Change {
  return {
    param: `messages.${position}`,
    action: 'override',
    before: { after: `messages.${position - 1}` },
    after: { after: `messages.${call}` },
    reason: 'The result of a tool call stands right behind it.',
  };
}
