/** Writes what a target hears as events, as it hears it. */
import type { PublicEvent } from '../../../core/endpoint.ts';
import type { Transcript, TranscriptEvent } from '../../../core/generation/transcription.ts';
import { segmentWriter } from './segment-writer.ts';
import { segmentsOf } from './segments.ts';

/** A target without streams gives all of its text at once. */
export async function* asEvents(transcript: Transcript): AsyncGenerator<TranscriptEvent> {
  for (const segment of segmentsOf(transcript)) yield { type: 'segment', segment };
  yield { type: 'delta', text: transcript.text };
  yield { type: 'done', transcript };
}

/** `facts`: known with the last event. A segment is written for who speaks it. */
export async function* writeEvents(
  events: AsyncIterable<TranscriptEvent>,
  facts: () => object,
): AsyncGenerator<readonly PublicEvent[]> {
  const writeSegment = segmentWriter();
  for await (const event of events) {
    if (event.type === 'delta') {
      const { text: delta, logprobs } = event;
      yield [{ data: { type: 'transcript.text.delta', delta, ...(logprobs && { logprobs }) } }];
    } else if (event.type === 'done') {
      const { text } = event.transcript;
      yield [{ data: { type: 'transcript.text.done', text, ...writeSigns(event.transcript), ...facts() } }];
    } else if (event.segment.speaker !== undefined) yield [{ data: writeSegment(event.segment) }];
  }
}

export const writeSigns = ({ languages, logprobs }: Transcript): object => ({
  ...(languages && { languages }),
  ...(logprobs && { logprobs }),
});
