/** Reads a chat stream as a careful client would: every rule of the stream grammar is checked on the way. */
import { createParser } from 'eventsource-parser';
import { expect } from 'vitest';

interface ChatDelta {
  readonly role?: string;
  readonly content?: string;
  readonly refusal?: string;
  readonly reasoning_content?: string;
  readonly reasoning_details?: readonly object[];
  readonly annotations?: readonly object[];
  readonly tool_calls?: readonly {
    readonly index: number;
    readonly id?: string;
    readonly type?: string;
    readonly function: { readonly name?: string; readonly arguments?: string };
  }[];
}

interface ChatChunk {
  readonly id: string;
  readonly model: string;
  readonly object: string;
  readonly created: number;
  readonly choices: readonly {
    readonly index: number;
    readonly delta: ChatDelta;
    readonly finish_reason: string | null;
  }[];
  readonly usage?: object;
  readonly debug?: object;
  readonly error?: { readonly message: string; readonly type: string; readonly code: string | null };
}

/** The `data:` texts of a stream's text, in order. */
export function dataOf(text: string): readonly string[] {
  const found: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => found.push(data) });
  parser.feed(text);
  return found;
}

export interface ChatMessageSeen {
  content: string;
  refusal: string;
  reasoning: string;
  details: object[];
  calls: { id: string; name: string; arguments: string }[];
  finish: string | undefined;
}

export interface ChatStreamSeen {
  readonly chunks: readonly ChatChunk[];
  readonly choices: ReadonlyMap<number, ChatMessageSeen>;
  readonly usage: object | undefined;
  readonly error: ChatChunk['error'];
}

/** Folds a stream's text and fails the test where it breaks the grammar of chat streams. */
export function readChatStream(text: string): ChatStreamSeen {
  const data = dataOf(text);
  const done = data.indexOf('[DONE]');
  expect(done === -1 || done === data.length - 1, 'nothing comes after [DONE]').toBe(true);
  const chunks = data.filter((line) => line !== '[DONE]').map((line): ChatChunk => JSON.parse(line));
  const error = chunks.at(-1)?.error;
  expect(done === -1, 'a stream ends with [DONE] exactly when it did not fail').toBe(error !== undefined);
  const regular = chunks.filter((chunk) => chunk.error === undefined);
  expect(new Set(regular.map(({ id, model, created }) => `${id} ${model} ${created}`)).size).toBeLessThan(2);
  const choices = new Map<number, ChatMessageSeen>();
  regular.forEach((chunk, position) => {
    expect(chunk.object).toBe('chat.completion.chunk');
    for (const choice of chunk.choices) readChoice(choices, choice);
    if (chunk.usage) expect([chunk.choices, position]).toEqual([[], regular.length - 1]);
  });
  if (!error) {
    for (const seen of choices.values()) expect(seen.finish, 'each choice is finished').toBeDefined();
    for (const call of [...choices.values()].flatMap(({ calls }) => calls)) JSON.parse(call.arguments);
  }
  return { chunks: regular, choices, usage: regular.at(-1)?.usage, error };
}

function readChoice(
  choices: Map<number, ChatMessageSeen>,
  { index, delta, finish_reason: finish }: ChatChunk['choices'][number],
): void {
  let seen = choices.get(index);
  if (!seen) {
    expect(delta.role, 'the first chunk has the role').toBe('assistant');
    seen = { content: '', refusal: '', reasoning: '', details: [], calls: [], finish: undefined };
    choices.set(index, seen);
  } else {
    expect(delta.role, 'only the first chunk has the role').toBeUndefined();
  }
  expect(seen.finish, 'nothing comes after the finish').toBeUndefined();
  seen.content += delta.content ?? '';
  seen.refusal += delta.refusal ?? '';
  seen.reasoning += delta.reasoning_content ?? '';
  seen.details.push(...(delta.reasoning_details ?? []));
  for (const call of delta.tool_calls ?? []) readCall(seen, call);
  if (finish !== null) seen.finish = finish;
}

function readCall(seen: ChatMessageSeen, call: NonNullable<ChatDelta['tool_calls']>[number]): void {
  const known = seen.calls[call.index];
  if (!known) {
    expect(call.index, 'calls count from 0 in order of appearance').toBe(seen.calls.length);
    expect(call.type).toBe('function');
    expect(call.id).toBeTruthy();
    expect(call.function.name).toBeTruthy();
    const { name = '', arguments: text = '' } = call.function;
    seen.calls.push({ id: call.id ?? '', name, arguments: text });
    return;
  }
  expect([call.id, call.function.name], 'id and name come once').toEqual([undefined, undefined]);
  known.arguments += call.function.arguments ?? '';
}
