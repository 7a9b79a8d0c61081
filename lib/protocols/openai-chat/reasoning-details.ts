/**
 * `reasoning_details`, which routers on this wire pass through from the model's own provider: pieces of one detail come
 * in several deltas and are told once, whole, so that they can go back as they were made.
 */
import type { GenerationEvent } from '../../core/generation/events.ts';
import type { JsonObject, ReasoningDetail } from '../../core/generation/request.ts';
import { asArray, asObject, asOptionalText, asText } from '../json.ts';

interface Draft {
  readonly key: string;
  readonly type: ReasoningDetail['type'];
  readonly index: number | undefined;
  id: string | undefined;
  format: string | undefined;
  text: string;
  signature: string | undefined;
}

/** The details of one choice: those that may still grow, and how many were told. */
export interface Details {
  drafts: Draft[];
  told: number;
}

const types: readonly unknown[] = ['reasoning.text', 'reasoning.summary', 'reasoning.encrypted'];

/** Takes in one delta's details; gives their readable text. */
export function addDetails(details: Details, value: unknown): string {
  if (value === undefined) return '';
  const pieces = asArray(value)
    .map(asObject)
    .filter((piece) => types.includes(piece.type));
  for (const piece of pieces) addPiece(details, piece);
  return pieces.map((piece) => asText(piece.text ?? piece.summary)).join('');
}

/** Tells the details collected so far: what follows no longer belongs to them. */
export function onDetailsEnd(choice: number, details: Details, events: GenerationEvent[]): void {
  if (details.drafts.length === 0) return;
  for (const draft of details.drafts) {
    events.push({ type: 'reasoning-detail', choice, detail: toDetail(draft, details.told) });
    details.told += 1;
  }
  details.drafts = [];
}

function addPiece({ drafts }: Details, piece: JsonObject): void {
  const type = piece.type as ReasoningDetail['type'];
  const index = typeof piece.index === 'number' ? piece.index : undefined;
  const id = asOptionalText(piece.id);
  const key = `${type} ${index}`;
  // An encrypted piece comes whole: a second one is another detail.
  const open = type === 'reasoning.encrypted' ? undefined : drafts.find((draft) => draft.key === key);
  const draft = open ?? { key, type, index, id, format: undefined, text: '', signature: undefined };
  if (open === undefined) drafts.push(draft);
  draft.text += asText(piece.text ?? piece.summary ?? piece.data);
  draft.signature = asOptionalText(piece.signature) ?? draft.signature;
  draft.format ??= asOptionalText(piece.format);
  draft.id ??= id;
}

function toDetail(draft: Draft, position: number): ReasoningDetail {
  const { type, text, signature, id } = draft;
  const format = draft.format ?? 'unknown';
  const base = { format, index: draft.index ?? position, ...(id !== undefined && { id }) };
  if (type === 'reasoning.summary') return { type, summary: text, ...base };
  if (type === 'reasoning.encrypted') return { type, data: text, ...base };
  return { type, text, ...(signature !== undefined && { signature }), ...base };
}
