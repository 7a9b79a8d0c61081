/**
 * Combines events to the answer they describe, so that a stream and a body of the same content are equal; and checks the order
 * of events that every decoder must keep.
 */
import { expect } from 'vitest';
import { GatewayError } from '../../lib/core/errors/errors.ts';
import type { GenerationEvent } from '../../lib/core/generation/events.ts';
import type { Frame, GenerationProtocol } from '../../lib/core/generation/original/protocol.ts';

interface FoldedChoice {
  text: string;
  refusal: string;
  reasoning: string;
  details: unknown[];
  calls: { id: string; name: string; arguments: string }[];
  annotations: unknown[];
  logprobs: unknown[];
  finish: string[];
}

const newChoice = (): FoldedChoice => ({
  text: '',
  refusal: '',
  reasoning: '',
  details: [],
  calls: [],
  annotations: [],
  logprobs: [],
  finish: [],
});

export function fold(events: readonly GenerationEvent[]) {
  const choices = new Map<number, FoldedChoice>();
  for (const event of events) {
    expect(event.type).toBeTypeOf('string');
    if (event.type === 'start' || event.type === 'usage') continue;
    const choice = choices.get(event.choice) ?? newChoice();
    choices.set(event.choice, choice);
    foldEvent(choice, event);
  }
  const usage = events.find((event) => event.type === 'usage')?.usage;
  return { choices: Object.fromEntries(choices), usage };
}

function foldEvent(choice: FoldedChoice, event: Exclude<GenerationEvent, { type: 'start' | 'usage' }>): void {
  if (event.type === 'text' || event.type === 'refusal' || event.type === 'reasoning') {
    choice[event.type] += event.text;
  } else if (event.type === 'reasoning-detail') choice.details.push(event.detail);
  else if (event.type === 'annotation') choice.annotations.push(event.annotation);
  else if (event.type === 'logprobs') choice.logprobs.push(...event.content, ...event.refusal);
  else if (event.type === 'finish') choice.finish.push(event.reason);
  else if (event.type === 'tool-call') {
    expect(event.call).toBe(choice.calls.length);
    choice.calls.push({ id: event.id, name: event.name, arguments: '' });
  } else if (event.type === 'tool-arguments') {
    const call = choice.calls[event.call];
    if (call === undefined) throw new Error(`arguments of call ${event.call} came before the call`);
    call.arguments += event.text;
  }
}

/** The first choice of an answer. */
export function only(events: readonly GenerationEvent[]): FoldedChoice {
  return fold(events).choices[0] ?? newChoice();
}

/** Checks the events of a complete answer. */
export function expectGrammar(events: readonly GenerationEvent[]): void {
  const types = events.map(({ type }) => type);
  expect(types.indexOf('start')).toBe(0);
  expect(types.lastIndexOf('start')).toBe(0);
  if (types.includes('usage')) expect(types.indexOf('usage')).toBe(types.length - 1);
  const folded = Object.values(fold(events).choices);
  expect(folded.length).toBeGreaterThan(0);
  for (const { finish, calls } of folded) {
    expect(finish).toHaveLength(1);
    for (const call of calls) {
      expect(call.name).not.toBe('');
      expect(JSON.parse(call.arguments)).toBeTypeOf('object');
    }
    expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length);
  }
}

/** Decodes frames until the end of input. */
export function decodeFrames(protocol: GenerationProtocol, frames: readonly Frame[]): GenerationEvent[] {
  const decoder = protocol.decodeStream();
  return [...frames.flatMap((frame) => decoder.onFrame(frame)), ...decoder.onEnd()];
}

/** Each object as the `data:` of one frame. A string is sent unchanged. */
export function toFrames(items: readonly unknown[]): Frame[] {
  return items.map((item) => ({
    event: '',
    data: typeof item === 'string' ? item : JSON.stringify(item),
  }));
}

/** The events with adjacent pieces of a text joined, because the pieces are not part of the answer. */
export function joined(events: readonly GenerationEvent[]): readonly GenerationEvent[] {
  const result: GenerationEvent[] = [];
  for (const event of events) {
    const last = result.at(-1);
    const follows = last?.type === event.type && 'text' in last && 'text' in event;
    const sameCall = !(last && 'call' in last && 'call' in event) || last.call === event.call;
    if (follows && sameCall) result[result.length - 1] = { ...event, text: last.text + event.text };
    else result.push(event);
  }
  return result;
}

/** The error that the work throws. */
export function errorOf(work: () => unknown): GatewayError {
  try {
    work();
  } catch (thrown) {
    if (thrown instanceof GatewayError) return thrown;
    throw thrown;
  }
  throw new Error('Nothing was thrown.');
}
