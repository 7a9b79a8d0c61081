/** The reference of the operations for speech, transcriptions and realtime sessions. */
import { clientSecretsSchema } from '../../../lib/operations/realtime/schema.ts';
import { speechSchema } from '../../../lib/operations/speech/schema.ts';
import { transcriptionSchema } from '../../../lib/operations/transcriptions/schema.ts';
import { clientSecretsFields, extraComponent, speechFields, transcriptionFields } from '../fields/others.ts';
import type { OperationReferences } from '../operation-reference.ts';

export const audioReference = {
  'audio-speech': {
    tag: 'Speech',
    title: 'Create speech',
    summary:
      'Generates audio from text. The answer is streamed audio of the type in the header `content-type`, or with `stream_format: sse` events: `speech.audio.delta` with `audio` as base64, then `speech.audio.done` with `usage`. If the audio is interrupted, the connection is closed without a proper end.',
    schema: speechSchema,
    fields: speechFields,
    components: extraComponent,
    request: 'SpeechRequest',
    isAudio: true,
  },
  'audio-transcriptions': {
    tag: 'Transcription',
    title: 'Create a transcription',
    summary:
      'Transcribes audio into text of its language, and at `/v1/audio/translations` into English. The body is a form with the file, or JSON with the URL of one. With `response_format` `text`, `srt` or `vtt` the answer is a plain text. With `stream: true` the answer is a stream of server-sent events.',
    schema: transcriptionSchema,
    fields: transcriptionFields,
    components: extraComponent,
    request: 'TranscriptionRequest',
    isForm: true,
    answer: 'Transcription',
    event: 'TranscriptionEvent',
  },
  'realtime-client-secrets': {
    tag: 'Realtime',
    title: 'Create a client secret',
    summary:
      'Asks the provider for a secret with which a browser or an app opens realtime sessions itself, without an API key. The gateway sees nothing of the sessions, so their cost is unknown, and none are opened for keys, users and tenants with a budget, credit or a limit of tokens, with guardrails or with zero data retention.',
    schema: clientSecretsSchema,
    fields: clientSecretsFields,
    components: extraComponent,
    request: 'ClientSecretRequest',
    answer: 'ClientSecret',
  },
} satisfies OperationReferences;
