/**
 * Transcription by Gemini's models for it. Sources: ai.google.dev/gemini-api/docs/generate-content/transcribe (fields, the form of answers
 * with words and speakers); docs.cloud.google.com, "Gemini 3.5 Transcribe"; media.md: 25 tokens of audio in a second.
 */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { checkKeys, listOf, objectOf, objectsOf, textOf, wordSet } from '../json.ts';
import { hear } from '../recordings.ts';
import { countTokens } from '../script.ts';
import { refuse, refuseUnknown } from './refuse.ts';

export const isTranscriber = (model: string): boolean => model.includes('transcribe');

const known = wordSet('languageCodes customVocabulary wordTimestamp diarization mode');
const tokensPerSecond = 25;
const mostTerms = 1_000;

export function writeTranscript(body: JsonObject, model: string): JsonObject {
  const config = objectOf(objectOf(body.generationConfig).audioTranscriptionConfig);
  checkKeys(config, known, (name) => refuseUnknown(name, 'generation_config.audio_transcription_config'));
  const { wordTimestamp, diarization, mode, customVocabulary } = config;
  if (mode === 'SMART' && (wordTimestamp || diarization))
    refuse('SMART mode has no timestamps and speakers.');
  if (listOf(customVocabulary).length > mostTerms) refuse('At most 1000 phrases are allowed.');
  const [content] = objectsOf(body.contents);
  const [part] = objectsOf(content?.parts);
  const audio = textOf(objectOf(part?.inlineData).data);
  if (audio === '') refuse('The request has no audio.');
  const { text, duration, words } = hear(Buffer.from(audio, 'base64'));
  const [promptTokenCount, candidatesTokenCount] = [
    Math.round(duration * tokensPerSecond),
    countTokens(text),
  ];
  const turns = diarization ? [words.slice(0, 5), words.slice(5, 11), words.slice(11)] : [words];
  const parts = turns.map((turn, index) => ({
    audioTranscription: {
      ...(diarization === true && { speakerLabel: `spk_${index === 1 ? 2 : 1}` }),
      words: turn.map(({ word, start, end }) => ({
        word,
        ...(wordTimestamp === true && { startOffset: offset(start), endOffset: offset(end) }),
      })),
    },
  }));
  const isPlain = !wordTimestamp && !diarization;
  return {
    candidates: [
      { content: { role: 'model', parts: isPlain ? [{ text }] : parts }, finishReason: 'STOP', index: 0 },
    ],
    usageMetadata: {
      promptTokenCount,
      candidatesTokenCount,
      totalTokenCount: promptTokenCount + candidatesTokenCount,
      promptTokensDetails: [{ modality: 'AUDIO', tokenCount: promptTokenCount }],
    },
    modelVersion: model,
    responseId: 'sandbox',
  };
}

const offset = (seconds: number): string => `${seconds.toFixed(3)}s`;
