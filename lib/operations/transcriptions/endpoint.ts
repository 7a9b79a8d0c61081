/** Transcription: `POST /v1/audio/transcriptions`, and `/v1/audio/translations` into English. */
import { lazy } from '../../async/lazy.ts';
import { priceOf } from '../../core/accounting/price.ts';
import type { Target } from '../../core/catalog/model.ts';
import type { Call, Endpoint } from '../../core/endpoint.ts';
import { invalid } from '../../core/errors/invalid.ts';
import type { Audio, TranscriptionRequest } from '../../core/generation/transcription.ts';
import type { MaxTokens } from '../../metering/limits/highest-cost.ts';
import { callTranscription, type Transcribed } from '../../pipeline/call-transcription.ts';
import type { TranscriptStream } from '../../pipeline/call-transcription-stream.ts';
import { fetchAudio } from '../../pipeline/media/fetch-audio.ts';
import type { ModelTask } from '../../pipeline/model-task.ts';
import { oneCallTask, servedBy, withRules } from '../../pipeline/one-call.ts';
import type { PipelineParts } from '../../pipeline/parts.ts';
import { audioTokens, bytesPerToken, maxMs, promptTokens } from '../../pipeline/transcription-use.ts';
import { oneCallEndpoint } from '../one-call/endpoint.ts';
import { readTranscription, type TranscriptionInput } from './read.ts';
import { transcriptionForm, transcriptionSchema } from './schema.ts';
import { type PreparedTranscription, writeTranscription } from './write/write.ts';

type TranscriptionEndpoint = Endpoint<typeof transcriptionSchema, TranscriptionInput>;

const translations = /\/translations$/;

export function transcriptionEndpoint(parts: PipelineParts): TranscriptionEndpoint {
  const endpoint = oneCallEndpoint(parts, {
    endpoint: 'audio_transcriptions',
    schema: transcriptionSchema,
    read: (body) => readTranscription(body, false),
    texts: ({ parameters: { prompt, keywords = [] } }) => [
      ...keywords.map((text, index) => ({ text, path: `keywords.${index}` })),
      ...(prompt === undefined ? [] : [{ text: prompt, path: 'prompt' }]),
    ],
    withTexts: (request, texts) => {
      const { prompt, keywords } = request.parameters;
      const count = keywords?.length ?? 0;
      const read = {
        ...(keywords && { keywords: texts.slice(0, count) }),
        ...(prompt !== undefined && { prompt: texts[count] ?? prompt }),
      };
      return { ...request, parameters: { ...request.parameters, ...read } };
    },
    task: (input) => transcriptionTask(parts, input),
    nothing: { text: '', sandbox: false },
    write: (call, made) => writeTranscription(parts, call, made),
  });
  return {
    ...endpoint,
    heldForm: transcriptionForm,
    read: (body, _, __, template = '') => readTranscription(body, translations.test(template)),
    isCostly: ({ request }) => request.source !== undefined,
    answer: async (call) => await endpoint.answer({ ...call, input: await withAudio(parts, call) }),
  };
}

/** With what its URL leads to, which must be known before anything is reserved. A dry run notes only that it would be fetched. */
async function withAudio(
  { connections }: Pick<PipelineParts, 'connections'>,
  { input, signal, memory }: Call<TranscriptionInput>,
): Promise<TranscriptionInput> {
  const { source } = input.request;
  if (!source || input.dryRun) return input;
  const audio = await fetchAudio(connections.fetchMedia, source, { signal, memory });
  return { ...input, request: { ...input.request, audio } };
}

type TaskParts = Pick<PipelineParts, 'providers' | 'now'>;

function transcriptionTask(
  parts: TaskParts,
  input: TranscriptionInput,
): ModelTask<PreparedTranscription, Transcribed | TranscriptStream> {
  const { request } = input;
  return {
    ...oneCallTask('audio_transcriptions', input, 'transcription'),
    isStream: request.stream === true,
    needs: [{ modality: 'audio' }],
    inputTokens: lazy(() => promptTokens(request, bytesPerToken) + audioTokens(msOf(request.audio))),
    maxTokens: (target) => maxTokens(parts, request, target),
    prepare: (target) => prepare(parts, target, request),
    call: callTranscription,
  };
}

function prepare(
  { providers }: TaskParts,
  target: Target,
  request: TranscriptionRequest,
): PreparedTranscription {
  const { provider, serves } = servedBy(providers, target, 'transcription');
  if (request.translates && !target.model.traits.transcription?.translates)
    throw invalid('model', `must translate, which '${target.model.id}' does not`);
  const { protocol, rules } = serves;
  return { provider, protocol, target, audio: request.audio, ...withRules(request, target, rules) };
}

const msOf = (audio: Audio | undefined): number => (audio ? maxMs(audio) : 0);

/** Twice what is counted of a second at most. Nobody says more than is counted of the audio. */
function maxTokens(
  { now }: Pick<TaskParts, 'now'>,
  request: TranscriptionRequest,
  target: Target,
): MaxTokens {
  const audioMs = msOf(request.audio);
  const heard = 2 * audioTokens(audioMs);
  const price = priceOf(target, now() / 1_000)?.price;
  const isByTokens = (price?.input ?? 0) > 0 || (price?.output ?? 0) > 0;
  return {
    input: promptTokens(request, 1) + heard,
    output: isByTokens ? (target.model.limits.output ?? heard) : 0,
    audioMs,
    audio: isByTokens,
    endless: request.audio === undefined,
  };
}
