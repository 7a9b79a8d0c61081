/**
 * Function calls of a Gemini answer. They are usually complete, or in pieces if requested from Vertex. A call without an id
 * of Google's gets one here.
 */

import { asArray, asObject } from '../../core/formats/json-object.ts';
import type { GenerationEvent } from '../../core/generation/events.ts';
import { newCallId } from '../../core/names/new-id.ts';
import { asOptionalText, asText } from '../json.ts';
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

type Container = unknown[] | Record<string, unknown>;

/**
 * The arguments of one call so far. Vertex may stream them in pieces (`partialArgs`): each has a JSON path and a value; a text may
 * come in several pieces.
 */
interface PartialArguments {
  readonly root: Record<string, unknown>;
  /** The path of the text that continues with the next piece. */
  openPath: string | undefined;
}

/** Without a prototype, so that no name in a path can reach it. */
const newObject = (): Record<string, unknown> => Object.create(null);

function newPartialArguments(args: unknown): PartialArguments {
  return { root: Object.assign(newObject(), asObject(args)), openPath: undefined };
}

function addPieces(partial: PartialArguments, pieces: unknown): void {
  for (const piece of asArray(pieces).map(asObject<wire.PartialArg>)) addPiece(partial, piece);
}

function addPiece(partial: PartialArguments, piece: wire.PartialArg): void {
  const path = asText(piece.jsonPath);
  const steps = readPath(path);
  const last = steps.pop();
  if (last === undefined) return;
  let container: Container = partial.root;
  for (const [position, step] of steps.entries()) {
    container = enter(container, step, typeof (steps[position + 1] ?? last) === 'number');
  }
  const before = partial.openPath === path ? asText(read(container, last)) : '';
  const value = readValue(piece);
  write(container, last, typeof value === 'string' ? before + value : value);
  partial.openPath = piece.willContinue === true ? path : undefined;
}

function readValue(piece: wire.PartialArg): unknown {
  return piece.stringValue ?? piece.numberValue ?? piece.boolValue ?? null;
}

/** The steps of a path: `$.a.b[0]['c d']`. */
function readPath(path: string): (string | number)[] {
  const steps = path.matchAll(/\.([^.[\]]+)|\[(\d{1,6})\]|\[(?:'([^']*)'|"([^"]*)")\]/g);
  return [...steps].map(([, name, index, quoted, doubleQuoted]) =>
    index === undefined ? (name ?? quoted ?? doubleQuoted ?? '') : Number(index),
  );
}

/** The container at a step; created if it does not exist. */
function enter(container: Container, step: string | number, holdsList: boolean): Container {
  const found = read(container, step);
  if (typeof found === 'object' && found !== null) return found as Container;
  const made = holdsList ? [] : newObject();
  write(container, step, made);
  return made;
}

function read(container: Container, step: string | number): unknown {
  return Array.isArray(container) ? container[Number(step)] : container[String(step)];
}

function write(container: Container, step: string | number, value: unknown): void {
  if (!Array.isArray(container)) container[String(step)] = value;
  // A list grows only at its end, so that a path cannot create a huge one.
  else if (Number(step) <= container.length) container[Number(step)] = value;
}
