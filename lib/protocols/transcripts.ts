/** What all protocols of transcription read and write alike. */
import { GatewayError } from '../core/errors/errors.ts';
import { audioTypes } from '../core/formats/audio/audio-type.ts';
import { asArray, asObject, type Wire } from '../core/formats/json-object.ts';
import type { JsonObject } from '../core/generation/request.ts';
import type { Audio, Segment, Word } from '../core/generation/transcription.ts';
import type { FormFile } from '../core/ports/http.ts';
import { asText } from './json.ts';

/** Under a name that says no more than its type. */
export const audioFile = ({ bytes, type }: Audio): FormFile => ({
  name: 'file',
  filename: `audio.${type}`,
  type: audioTypes[type],
  bytes,
});

/** Longer than any audio. */
const maxSeconds = 2 ** 31;

const asSeconds = (value: unknown): number | undefined =>
  typeof value === 'number' && value >= 0 && value < maxSeconds ? value : undefined;

/** The same of an amount: one of 0 is none. */
export const asAmount = (value: unknown): number | undefined => asSeconds(value) || undefined;

type WireSpan = Wire<{ start: number; end: number; text: string; word: string }> & JsonObject;

/** Without what has no time. */
export function spansIn(list: unknown, speakerOf: (span: JsonObject) => string | undefined): readonly Word[] {
  return asArray(list).flatMap((element) => {
    const span = asObject<WireSpan>(element);
    const [start, end] = [asSeconds(span.start), asSeconds(span.end)];
    if (start === undefined || end === undefined) return [];
    const speaker = speakerOf(span);
    const text = asText(span.text) || asText(span.word);
    return [{ start, end: Math.max(start, end), text, ...(speaker !== undefined && { speaker }) }];
  });
}

/** As it is written in answers: a text, or a number. */
export const asSpeaker = (value: unknown): string | undefined =>
  (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : undefined;

export const orNone = <Span extends Segment | Word>(spans: readonly Span[]): readonly Span[] | undefined =>
  spans.length > 0 ? spans : undefined;

/** An answer without a text is no transcript; an empty one is silence. */
export function textIn({ text }: JsonObject): string {
  if (typeof text === 'string') return text;
  throw new GatewayError('upstream_invalid_answer', 'The provider returned a response without a transcript.');
}
