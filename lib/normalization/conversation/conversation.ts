/**
 * Repairs that every protocol needs: each tool call has its result right after it, each result its call, and no two calls one id.
 *
 * The gateway invents no message: a call without a result is left out, and a result without a call becomes a message of
 * the user.
 */
import { pathOf, source } from '../../core/generation/original/source.ts';
import type { AssistantMessage, Message, ToolCall, ToolMessage } from '../../core/generation/request.ts';
import { createCallIds } from '../../core/generation/tools/tool-call-id.ts';
import { type Change, overridden, type Repaired, stripped } from '../rule.ts';

interface Result {
  readonly message: ToolMessage;
  /** Its position in the conversation. */
  readonly position: number;
}

/** A call with its result, and the id that both get. */
interface Pair {
  readonly call: ToolCall;
  readonly result: Result;
  readonly id: string;
}

export function pairResults(messages: readonly Message[]): Repaired {
  if (!messages.some(isOfCalls)) return { messages, changes: [] };
  const results = findResults(messages);
  const isApart = separations(messages);
  const answering = new Set([...results.values()].map(({ position }) => position));
  const uniqueId = createCallIds();
  // Lists of changes and not their members: too many members would not fit into one call.
  const changes: (readonly Change[])[] = [];
  const paired = messages.flatMap((message, position): readonly Message[] => {
    if (message.role === 'tool') {
      if (answering.has(position)) return [];
      changes.push([orphan(message)]);
      return [asUser(message)];
    }
    if (message.role !== 'assistant') return [message];
    const pairs = message.toolCalls.flatMap((call): readonly Pair[] => {
      const result = results.get(call);
      return result ? [{ call, result, id: uniqueId(call.id) }] : [];
    });
    const own = pairs.toSorted((a, b) => a.result.position - b.result.position);
    const moved = own.filter(({ result }) => isApart(position, result.position));
    const moves = moved.map(({ result }) => moving(result, message, messages));
    changes.push(unanswered(message, results), moves);
    return [withCalls(message, pairs), ...own.map(resultOf)];
  });
  return { messages: paired, changes: changes.flat() };
}

const isOfCalls = (message: Message): boolean =>
  message.role === 'tool' || (message.role === 'assistant' && message.toolCalls.length > 0);

/** A result belongs to the last turn that called with its id: there to the first call that has no result yet. */
function findResults(messages: readonly Message[]): ReadonlyMap<ToolCall, Result> {
  const results = new Map<ToolCall, Result>();
  const open = new Map<string, ToolCall[]>();
  for (const [position, message] of messages.entries()) {
    if (message.role === 'assistant') {
      const calls = Map.groupBy(message.toolCalls.toReversed(), ({ id }) => id);
      for (const [id, own] of calls) open.set(id, own);
    } else if (message.role === 'tool') {
      const call = open.get(message.toolCallId)?.pop();
      if (call) results.set(call, { message, position });
    }
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

/** With the calls that have a result, and their ids, by which signatures of Gemini name them. */
function withCalls(message: AssistantMessage, pairs: readonly Pair[]): AssistantMessage {
  const isKept = pairs.length === message.toolCalls.length && pairs.every(({ call, id }) => call.id === id);
  if (isKept) return message;
  const toolCalls = pairs.map(({ call, id }) => (call.id === id ? call : { ...call, id }));
  const ids = new Map(pairs.toReversed().map(({ call, id }) => [call.id, id]));
  const reasoningDetails = message.reasoningDetails.map((detail) => {
    const id = detail.id === undefined ? undefined : ids.get(detail.id);
    return id === undefined ? detail : { ...detail, id };
  });
  return { ...message, toolCalls, reasoningDetails };
}

function resultOf({ call, id, result: { message } }: Pair): ToolMessage {
  return call.id === id ? message : { ...message, toolCallId: id };
}

/** Without the name, which was the tool's. */
function asUser({ content, cacheControl, [source]: from }: ToolMessage): Message {
  return { role: 'user', content, ...(cacheControl && { cacheControl }), ...(from && { [source]: from }) };
}

function unanswered(
  { toolCalls }: AssistantMessage,
  results: ReadonlyMap<ToolCall, unknown>,
): readonly Change[] {
  return toolCalls.flatMap((call): readonly Change[] => {
    if (results.has(call)) return [];
    const before = { id: call.id, name: call.name };
    return [stripped(pathOf(call), before, 'The tool call has no result.')];
  });
}

function orphan(message: ToolMessage): Change {
  return overridden(
    pathOf(message),
    { role: 'tool', tool_call_id: message.toolCallId },
    { role: 'user' },
    'The tool result does not match an earlier tool call.',
  );
}

/** `turn`: the message with the call. */
function moving({ message, position }: Result, turn: Message, messages: readonly Message[]): Change {
  return overridden(
    pathOf(message),
    { after: pathOf(messages[position - 1] ?? turn) },
    { after: pathOf(turn) },
    'Tool results must directly follow their tool call.',
  );
}
