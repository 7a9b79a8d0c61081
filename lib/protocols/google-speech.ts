/**
 * Gemini's protocol for speech: a streamed generateContent request whose parts are samples of 16 bits, 24,000 in a second. Source:
 * ai.google.dev/gemini-api/docs/speech-generation.
 */
import { createSamplesMeter } from '../core/formats/audio/meter.ts';
import { asArray, asObject } from '../core/formats/json-object.ts';
import { parseJson } from '../core/formats/parse-json.ts';
import { nameOfVoice, type SpeechPiece, type SpeechProtocol } from '../core/generation/speech.ts';
import { upstreamError } from './failure.ts';
import { filtered } from './google-generate-content/choice.ts';
import { readFailure, readReportedFailure } from './google-generate-content/failure.ts';
import { readUsage } from './google-generate-content/usage.ts';
import type * as wire from './google-generate-content/wire.ts';
import { asOptionalText } from './json.ts';
import { bytesPerSecond, withWavHeader } from './wav-header.ts';

export const googleSpeech: SpeechProtocol = {
  meter: () => createSamplesMeter(bytesPerSecond),
  path: (upstreamId) => `/models/${encodeURIComponent(upstreamId)}:streamGenerateContent?alt=sse`,
  // The model reads how to speak before the text.
  encode: ({ input, parameters: { voice, instructions } }) => ({
    contents: [
      { role: 'user', parts: [{ text: instructions === undefined ? input : `${instructions}\n\n${input}` }] },
    ],
    generationConfig: {
      responseModalities: ['AUDIO'],
      speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: nameOfVoice(voice) } } },
    },
  }),
  reader: ({ parameters }) => withWavHeader(parameters.response_format, readChunk),
  readFailure,
};

function readChunk(data: string): SpeechPiece {
  const chunk = asObject<wire.Answer>(parseJson(data));
  const failure = readReportedFailure(chunk);
  if (failure) throw failure;
  const [candidate = {}] = asArray(chunk.candidates).map(asObject<wire.Candidate>);
  const { blockReason } = asObject<wire.PromptFeedback>(chunk.promptFeedback);
  const reason = asOptionalText(candidate.finishReason);
  if (asOptionalText(blockReason) !== undefined || (reason !== undefined && filtered.includes(reason)))
    throw upstreamError('upstream_content_policy');
  const parts = asArray(asObject<wire.Content>(candidate.content).parts).map(asObject<wire.Part>);
  const texts = parts.flatMap(({ inlineData }) => {
    const text = asOptionalText(asObject<wire.InlineData>(inlineData).data);
    return text === undefined ? [] : [Buffer.from(text, 'base64')];
  });
  const isLast = reason !== undefined;
  const usage = isLast ? readUsage(chunk.usageMetadata) : undefined;
  return {
    ...(texts.length > 0 && { audio: Buffer.concat(texts) }),
    ...(isLast && { isLast }),
    ...(usage && { counted: { usage, raw: asObject(chunk.usageMetadata) } }),
  };
}
