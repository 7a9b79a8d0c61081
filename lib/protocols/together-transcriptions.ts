/** OpenAI's protocol for transcription as Together has it: with speakers. Source: together-ai 0.52.0, `audio/transcriptions`. */
import { asObject } from '../core/formats/json-object.ts';
import { type TranscriptionProtocol, wantsSpeakers } from '../core/generation/transcription.ts';
import { openaiTranscriptions } from './openai-transcriptions.ts';
import { asSpeaker, orNone, spansIn } from './transcripts.ts';

export const togetherTranscriptions: TranscriptionProtocol = {
  ...openaiTranscriptions,
  encode(request, audio, target) {
    const { fields, ...form } = openaiTranscriptions.encode(request, audio, target);
    const speaking = wantsSpeakers(request) && { response_format: 'verbose_json', diarize: true };
    return { ...form, fields: { ...fields, ...speaking } };
  },
  decode(body, request) {
    const spoken = spansIn(asObject(body).speaker_segments, ({ speaker_id }) => asSpeaker(speaker_id));
    const transcript = openaiTranscriptions.decode(body, request);
    return { ...transcript, segments: orNone(spoken) ?? transcript.segments };
  },
};
