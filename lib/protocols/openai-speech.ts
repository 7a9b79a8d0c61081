/**
 * OpenAI's protocol for speech, which other hosts have, too. Sources: openai 7.57.0, `audio/speech`; console.groq.com/docs/text-to-speech.
 * Only events have counts of tokens. developers.openai.com/api/docs/guides/text-to-speech: `pcm` has 24,000 samples of 16 bits in a second,
 * and `wav` a header before them.
 */

import { createMp3Meter, createSamplesMeter } from '../core/formats/audio/meter.ts';
import { asObject, type Wire } from '../core/formats/json-object.ts';
import { parseJson } from '../core/formats/parse-json.ts';
import type { SpeechPiece, SpeechProtocol } from '../core/generation/speech.ts';
import { plainUsage } from '../core/generation/usage.ts';
import { asCount, asOptionalText, isMiscounted } from './json.ts';
import { readFailure, refuseReported } from './openai-chat/failure.ts';
import { bytesPerSecond } from './wav-header.ts';

type Event = Wire<{ type: string; audio: string; usage: object }>;
type Counts = Wire<{ input_tokens: number; output_tokens: number }>;

export const openaiSpeech: SpeechProtocol = {
  meter(format, { model }) {
    if (!model.traits.speech?.countsTokens) return undefined;
    if (format === 'mp3') return createMp3Meter();
    return format === 'pcm' || format === 'wav' ? createSamplesMeter(bytesPerSecond) : undefined;
  },
  path: () => '/audio/speech',
  encode: ({ input, parameters }, { model, deployment }) => ({
    model: deployment.upstreamId,
    input,
    ...parameters,
    ...(model.traits.speech?.countsTokens && { stream_format: 'sse' }),
  }),
  reader: (_, { model }) => (model.traits.speech?.countsTokens ? readEvent : undefined),
  readFailure,
};

function readEvent(data: string): SpeechPiece {
  const event = asObject<Event>(parseJson(data));
  refuseReported(event);
  const { type, audio } = event;
  if (type === 'speech.audio.delta') return { audio: Buffer.from(asOptionalText(audio) ?? '', 'base64') };
  if (type !== 'speech.audio.done') return {};
  const { input_tokens, output_tokens } = asObject<Counts>(event.usage);
  if (input_tokens === undefined || isMiscounted(input_tokens, output_tokens)) return { isLast: true };
  const usage = plainUsage(asCount(input_tokens), asCount(output_tokens));
  return { isLast: true, counted: { usage, raw: asObject(event.usage) } };
}
