/** Speech of the sandbox's Gemini models. Source: ai.google.dev/gemini-api/docs/speech-generation. */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { dataEvent, type Prompt } from '../exchange.ts';
import { listOf, objectOf, textOf } from '../json.ts';
import { countInput } from '../script.ts';
import { audioOf, secondsOf } from '../speech.ts';
import { refuse } from './refuse.ts';

/** Samples of 16 bits, 24,000 in a second. */
const bytesPerSecond = 48_000;
const tokensPerSecond = 25;

export const asksForAudio = (body: JsonObject): boolean =>
  listOf(objectOf(body.generationConfig).responseModalities).includes('AUDIO');

export function writeSpeech(body: JsonObject, prompt: Prompt): readonly string[] {
  const { model, lastUserText } = prompt;
  if (!model.includes('tts')) refuse('This model only supports text output.');
  const { voiceConfig } = objectOf(objectOf(body.generationConfig).speechConfig);
  const { voiceName } = objectOf(objectOf(voiceConfig).prebuiltVoiceConfig);
  if (textOf(voiceName) === '') refuse('A voice is required.');
  const promptTokenCount = countInput(prompt);
  const candidatesTokenCount = secondsOf(lastUserText) * tokensPerSecond;
  const about = { modelVersion: model, responseId: 'sandbox' };
  const pieces = audioOf(lastUserText, bytesPerSecond).map((piece) => {
    const inlineData = { mimeType: 'audio/L16;codec=pcm;rate=24000', data: piece.toString('base64') };
    return dataEvent({
      candidates: [{ content: { role: 'model', parts: [{ inlineData }] }, index: 0 }],
      ...about,
    });
  });
  const usageMetadata = {
    promptTokenCount,
    candidatesTokenCount,
    totalTokenCount: promptTokenCount + candidatesTokenCount,
    candidatesTokensDetails: [{ modality: 'AUDIO', tokenCount: candidatesTokenCount }],
  };
  return [
    ...pieces,
    dataEvent({ candidates: [{ content: {}, finishReason: 'STOP', index: 0 }], usageMetadata, ...about }),
  ];
}
