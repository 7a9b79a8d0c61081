/**
 * Arguments that Vertex streams in pieces (`partialArgs`): each piece has a JSON path and a value; a text may come in several
 * pieces.
 */

import { asArray, asObject } from '../../core/formats/json-object.ts';
import { asText } from '../json.ts';
import type * as wire from './wire.ts';

type Container = unknown[] | Record<string, unknown>;

/** The arguments of one call so far. */
export interface PartialArguments {
  readonly root: Record<string, unknown>;
  /** The path of the text that continues with the next piece. */
  openPath: string | undefined;
}

/** Without a prototype, so that no name in a path can reach it. */
const newObject = (): Record<string, unknown> => Object.create(null);

export function newPartialArguments(args: unknown): PartialArguments {
  return { root: Object.assign(newObject(), asObject(args)), openPath: undefined };
}

export function addPieces(partial: PartialArguments, pieces: unknown): void {
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
