/**
 * Function calls of a Gemini answer. They come whole as a rule, and in pieces where Vertex was asked for that. Google
 * gives them no ids, so each gets one here.
 */
import { randomUUID } from 'node:crypto';
import type { GenerationEvent } from '../../core/events.ts';
import type { JsonObject } from '../../core/generation.ts';
import { asObject, asOptionalText } from '../json.ts';
import { addPieces, newPartialArguments, type PartialArguments } from './partial-arguments.ts';

/** The calls of one choice. */
export interface Calls {
  /** Id of each call so far. */
  readonly ids: string[];
  /** Arguments of the call that is still being written. */
  open: PartialArguments | undefined;
}

/** Takes in one function call part. What `signed` tells of a call, by its id, comes before the call itself. */
export function* onToolCall(
  choice: number,
  calls: Calls,
  source: JsonObject,
  signed: (id: string) => Iterable<GenerationEvent>,
): Generator<GenerationEvent> {
  const name = asOptionalText(source.name);
  if (name !== undefined) {
    yield* onToolCallsEnd(choice, calls);
    const id = asOptionalText(source.id) ?? `call_${randomUUID()}`;
    const call = calls.ids.push(id) - 1;
    calls.open = newPartialArguments(source.args);
    yield* signed(id);
    yield { type: 'tool-call', choice, call, id, name };
  } else if (calls.open !== undefined) {
    yield* signed(calls.ids.at(-1) ?? '');
    Object.assign(calls.open.root, asObject(source.args));
  }
  if (calls.open === undefined) return;
  addPieces(calls.open, source.partialArgs);
  if (source.willContinue !== true) yield* onToolCallsEnd(choice, calls);
}

/** Tells the arguments of the call that is still open. */
export function* onToolCallsEnd(choice: number, calls: Calls): Generator<GenerationEvent> {
  if (calls.open === undefined) return;
  const text = JSON.stringify(calls.open.root);
  calls.open = undefined;
  yield { type: 'tool-arguments', choice, call: calls.ids.length - 1, text };
}
