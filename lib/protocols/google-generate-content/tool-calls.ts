/**
 * Function calls of a Gemini answer. They are usually complete, or in pieces if requested from Vertex. A call without an id
 * of Google's gets one here.
 */

import { asObject } from '../../core/formats/json-object.ts';
import type { GenerationEvent } from '../../core/generation/events.ts';
import { newCallId } from '../../core/names/new-id.ts';
import { asOptionalText } from '../json.ts';
import { addPieces, newPartialArguments, type PartialArguments } from './partial-arguments.ts';
import type * as wire from './wire.ts';

/** The calls of one choice. */
export interface Calls {
  /** The id of each call so far. */
  readonly ids: string[];
  /** The arguments of the call that is still being written. */
  open: PartialArguments | undefined;
}

/** Handles one function call part. `signed` emits the signature of the call with that id, before the call itself. */
export function onToolCall(
  choice: number,
  calls: Calls,
  source: wire.FunctionCall,
  signed: (id: string) => void,
  events: GenerationEvent[],
): void {
  const name = asOptionalText(source.name);
  if (name !== undefined) {
    onToolCallsEnd(choice, calls, events);
    const id = asOptionalText(source.id) ?? newCallId();
    const call = calls.ids.push(id) - 1;
    calls.open = newPartialArguments(source.args);
    signed(id);
    events.push({ type: 'tool-call', choice, call, id, name });
  } else if (calls.open !== undefined) {
    signed(calls.ids.at(-1) ?? '');
    Object.assign(calls.open.root, asObject(source.args));
  }
  if (calls.open === undefined) return;
  addPieces(calls.open, source.partialArgs);
  if (source.willContinue !== true) onToolCallsEnd(choice, calls, events);
}

/** Emits the arguments of the call that is still open. */
export function onToolCallsEnd(choice: number, calls: Calls, events: GenerationEvent[]): void {
  if (calls.open === undefined) return;
  const text = JSON.stringify(calls.open.root);
  calls.open = undefined;
  events.push({ type: 'tool-arguments', choice, call: calls.ids.length - 1, text });
}
