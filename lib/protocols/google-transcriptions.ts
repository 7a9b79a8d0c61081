/**
 * Gemini's protocol for transcription: a generateContent request with the audio, whose answer is what is said, and times and speakers
 * where they are asked for. Sources: ai.google.dev/gemini-api/docs/generate-content/transcribe; @google/genai 2.32.0,
 * `AudioTranscriptionConfig` and `Transcription`. A model that is not made for it reads the configuration as none, and answers what it hears.
 */
import { GatewayError } from '../core/errors/errors.ts';
import { type AudioType, audioTypes } from '../core/formats/audio/audio-type.ts';
import { asArray, asObject, type Wire, withoutUndefined } from '../core/formats/json-object.ts';
import type { JsonObject } from '../core/generation/request.ts';
import {
  isTimed,
  type Transcript,
  type TranscriptionProtocol,
  type TranscriptionRequest,
  type Word,
  wantsSpeakers,
} from '../core/generation/transcription.ts';
import type { Counted } from '../core/generation/usage.ts';
import { upstreamError } from './failure.ts';
import { filtered } from './google-generate-content/choice.ts';
import { readFailure, readReportedFailure } from './google-generate-content/failure.ts';
import { readUsage } from './google-generate-content/usage.ts';
import type * as wire from './google-generate-content/wire.ts';
import { asOptionalText } from './json.ts';
import { asSpeaker, orNone, spansIn } from './transcripts.ts';

export const googleTranscriptions: TranscriptionProtocol = {
  inJson: true,
  path: (_, { deployment }) => `/models/${encodeURIComponent(deployment.upstreamId)}:generateContent`,
  encode(request, { type, base64: data }) {
    const inlineData = { mimeType: ownTypes[type] ?? audioTypes[type], data };
    return {
      fields: {
        contents: [{ role: 'user', parts: [{ inlineData }] }],
        generationConfig: { audioTranscriptionConfig: configOf(request) },
      },
    };
  },
  decode,
  readCounts,
  readFailure,
};

/** Google's own names of types. */
const ownTypes: Partial<Record<AudioType, string>> = { mp3: 'audio/mp3', mp4: 'audio/m4a' };

function configOf(request: TranscriptionRequest): JsonObject {
  const { language, languages = [], keywords: customVocabulary } = request.parameters;
  const languageCodes = [...(language === undefined ? [] : [language]), ...languages];
  return withoutUndefined({
    languageCodes: languageCodes.length > 0 ? languageCodes : undefined,
    customVocabulary,
    // A part has no times of its own: those of its words say when it begins.
    wordTimestamp: isTimed(request) || undefined,
    diarization: wantsSpeakers(request) || undefined,
  });
}

type Heard = Wire<{ text: string; languageCode: string; speakerLabel: string; words: object[] }>;
type HeardWord = Wire<{ word: string; startOffset: string; endOffset: string }>;

/** @throws GatewayError also for what ended before all was written: a part of what is said is no transcript. */
function decode(body: unknown): Transcript {
  const answer = asObject<wire.Answer>(body);
  const failure = readReportedFailure(answer);
  if (failure) throw failure;
  const [candidate] = asArray(answer.candidates).map(asObject<wire.Candidate>);
  const { blockReason } = asObject<wire.PromptFeedback>(answer.promptFeedback);
  const reason = asOptionalText(candidate?.finishReason);
  if (asOptionalText(blockReason) !== undefined || (reason !== undefined && filtered.includes(reason)))
    throw upstreamError('upstream_content_policy');
  if (!candidate) throw upstreamError('upstream_invalid_answer');
  if (reason !== undefined && reason !== 'STOP')
    throw new GatewayError('upstream_cut', 'The provider ended its response before its end.');
  const parts = asArray(asObject<wire.Content>(candidate.content).parts)
    .map(asObject<wire.Part>)
    .filter(({ thought }) => thought !== true);
  const heard = parts.map(({ audioTranscription }) => asObject<Heard>(audioTranscription));
  const counted = readCounts(body);
  return {
    text: textOf(parts, heard),
    language: heard.map(({ languageCode }) => asOptionalText(languageCode)).find(Boolean),
    words: orNone(heard.flatMap(wordsOf)),
    ...(counted && { counted }),
  };
}

function readCounts(body: unknown): Counted | undefined {
  const { usageMetadata } = asObject<wire.Answer>(body);
  const usage = readUsage(usageMetadata);
  return usage && { usage, raw: asObject(usageMetadata) };
}

/** The whole text, or the turns of the speakers, whose texts have no space around them, and may be in their words alone. */
function textOf(parts: readonly wire.Part[], heard: readonly Heard[]): string {
  const texts = parts.flatMap(({ text }) => asOptionalText(text) ?? []);
  if (texts.length > 0) return texts.join('');
  const turns = heard.map((turn) => asOptionalText(turn.text) ?? wordsIn(turn).join(' '));
  return turns.filter((turn) => turn !== '').join(' ');
}

const wordsIn = ({ words }: Heard): readonly string[] =>
  asArray(words).flatMap((word) => asOptionalText(asObject<HeardWord>(word).word) ?? []);

function wordsOf({ words, speakerLabel }: Heard): readonly Word[] {
  const timed = asArray(words)
    .map(asObject<HeardWord>)
    .map(({ word, startOffset, endOffset }) => ({
      word,
      start: seconds(startOffset),
      end: seconds(endOffset),
    }));
  return spansIn(timed, () => asSpeaker(speakerLabel));
}

/** Of a Duration in JSON, as "0.450s". */
function seconds(offset: unknown): number | undefined {
  const [, amount] = /^(\d{1,10}(?:\.\d{1,9})?)s$/.exec(typeof offset === 'string' ? offset : '') ?? [];
  return amount === undefined ? undefined : Number(amount);
}
