/** What the answers to earlier steps gave, for requests that hand it back: `$0:output.reasoning.0.id`. */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { dataOf } from '../harness/chat-stream.ts';
import { type MessageSeen, readMessagesStream } from '../harness/messages.ts';

/** Of Responses `{ response, output: { <type>: [items] } }`, of Messages `{ output }` with its blocks, of chat `{ message }`. */
export type Given = object;

/** Reads an answer, streamed or not. */
export function readGiven(text: string, path: string): Given {
  const streamed = /^(event|data|:)/.test(text);
  if (path.startsWith('/v1/messages')) {
    const message: Pick<MessageSeen, 'content'> = streamed
      ? readMessagesStream(text, { isOriginal: true }).message
      : JSON.parse(text);
    return { output: Object.groupBy(message.content, ({ type }) => String(type)) };
  }
  const values: readonly Frame[] = streamed ? framesOf(text) : [JSON.parse(text)];
  if (!path.endsWith('/chat/completions')) {
    const response = streamed ? values.findLast((frame) => frame.response)?.response : values[0];
    const items = response?.output ?? [];
    return { response, output: Object.groupBy(items, ({ type }) => type) };
  }
  return { message: streamed ? joined(values) : values[0]?.choices?.[0]?.message };
}

interface CallPart {
  readonly index?: number;
  readonly function?: { readonly name?: string; readonly arguments?: string };
}

/** What is read of a body, or of one event of a stream, of chat and of Responses. */
interface Frame {
  readonly response?: Frame;
  readonly output?: readonly { readonly type: string }[];
  readonly choices?: readonly {
    readonly message?: object;
    readonly delta?: { readonly reasoning_content?: string; readonly tool_calls?: readonly CallPart[] };
  }[];
}

function framesOf(text: string): Frame[] {
  return dataOf(text)
    .filter((data) => data !== '[DONE]')
    .map((data) => JSON.parse(data));
}

/** The sum of the deltas. */
function joined(chunks: readonly Frame[]): object {
  const calls: CallPart[] = [];
  let reasoning = '';
  for (const delta of chunks.map(({ choices }) => choices?.[0]?.delta ?? {})) {
    reasoning += delta.reasoning_content ?? '';
    for (const { index = 0, function: part, ...rest } of delta.tool_calls ?? []) {
      const known = calls[index]?.function ?? { arguments: '' };
      const text = (known.arguments ?? '') + (part?.arguments ?? '');
      calls[index] = { ...calls[index], ...rest, function: { ...known, ...part, arguments: text } };
    }
  }
  return { reasoning_content: reasoning, tool_calls: calls };
}

/**
 * Puts what was given in place of its path. Where the answers did not have it, the object that asks for it is left out,
 * and the rest stays: another model gives no signature, for instance.
 */
export function handBack(value: unknown, given: readonly Given[]): unknown {
  if (Array.isArray(value)) {
    return value.map((one) => handBack(one, given)).filter((one) => one !== undefined);
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, one]) => [key, isReference(one) ? find(one, given) : one]);
  if (entries.some(([, one]) => one === undefined)) return undefined;
  const kept = entries
    .map(([key, one]) => [key, handBack(one, given)])
    .filter(([, one]) => one !== undefined);
  return kept.length === 0 && entries.length > 0 ? undefined : Object.fromEntries(kept);
}

function isReference(value: unknown): value is string {
  return typeof value === 'string' && /^\$\d+:/.test(value);
}

/** The same in a path. */
export function pathOf(path: string, given: readonly Given[]): string {
  return path.replace(/\$\d+:[\w.]+/, (reference) => String(find(reference, given)));
}

function find(reference: string, given: readonly Given[]): unknown {
  const [, step = '', path = ''] = /^\$(\d+):(.+)$/.exec(reference) ?? [];
  return path
    .split('.')
    .reduce<unknown>((found, key) => (Object(found) as JsonObject)[key], given[Number(step)]);
}
