/**
 * `reasoning_details`, which routers pass through from the model's own provider. The pieces of a detail come in several deltas
 * and are emitted once, complete, so that the detail can be sent back unchanged.
 */

import { asArray, asObject } from '../../core/formats/json-object.ts';
import type { GenerationEvent } from '../../core/generation/events.ts';
import type { ReasoningDetail } from '../../core/generation/request.ts';
import { asIndex, asOptionalText, asText } from '../json.ts';
import type * as wire from './wire.ts';

interface PartialDetail {
  readonly type: ReasoningDetail['type'];
  readonly index: number | undefined;
  id: string | undefined;
  format: string | undefined;
  text: string;
  signature: string | undefined;
}

/** The details of one choice: those that may still grow, and how many were emitted. */
export interface Details {
  partial: PartialDetail[];
  /** Those that a further piece continues, by type and index. */
  readonly open: Map<string, PartialDetail>;
  emitted: number;
}

export const newDetails = (): Details => ({ partial: [], open: new Map(), emitted: 0 });

const types: readonly unknown[] = ['reasoning.text', 'reasoning.summary', 'reasoning.encrypted'];

/** Adds the details of one delta. Returns their readable text. */
export function addDetails(details: Details, value: unknown): string {
  if (value === undefined) return '';
  const pieces = asArray(value)
    .map(asObject<wire.Detail>)
    .filter((piece) => types.includes(piece.type));
  for (const piece of pieces) addPiece(details, piece);
  return pieces.map((piece) => asText(piece.text ?? piece.summary)).join('');
}

/** Emits the details collected so far: what follows no longer belongs to them. */
export function onDetailsEnd(choice: number, details: Details, events: GenerationEvent[]): void {
  if (details.partial.length === 0) return;
  for (const detail of details.partial) {
    events.push({ type: 'reasoning-detail', choice, detail: toDetail(detail, details.emitted) });
    details.emitted += 1;
  }
  details.partial = [];
  details.open.clear();
}

function addPiece({ partial, open }: Details, piece: wire.Detail): void {
  const type = piece.type as ReasoningDetail['type'];
  const known = asIndex(piece.index, -1);
  const index = known < 0 ? undefined : known;
  const id = asOptionalText(piece.id);
  const key = `${type} ${index}`;
  // An encrypted detail is always complete: a second one is another detail.
  const begun = type === 'reasoning.encrypted' ? undefined : open.get(key);
  const detail = begun ?? { type, index, id, format: undefined, text: '', signature: undefined };
  if (begun === undefined) {
    partial.push(detail);
    open.set(key, detail);
  }
  detail.text += asText(piece.text ?? piece.summary ?? piece.data);
  detail.signature = asOptionalText(piece.signature) ?? detail.signature;
  detail.format ??= asOptionalText(piece.format);
  detail.id ??= id;
}

function toDetail(detail: PartialDetail, position: number): ReasoningDetail {
  const { type, text, signature, id } = detail;
  const format = detail.format ?? 'unknown';
  const base = { format, index: detail.index ?? position, ...(id !== undefined && { id }) };
  if (type === 'reasoning.summary') return { type, summary: text, ...base };
  if (type === 'reasoning.encrypted') return { type, data: text, ...base };
  return { type, text, ...(signature !== undefined && { signature }), ...base };
}
