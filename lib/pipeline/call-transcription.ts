/** One target asked to transcribe audio, in one call. Knows nothing of other targets. */
import type { Target } from '../core/catalog/model.ts';
import {
  type Audio,
  isStreamed,
  type Transcript,
  type TranscriptionProtocol,
  type TranscriptionRequest,
} from '../core/generation/transcription.ts';
import type { HttpResponse } from '../core/ports/http.ts';
import type { Provider } from '../providers/provider.ts';
import type { HeldMedia } from '../transport/json-body.ts';
import { base64Of, blocksOf } from '../transport/media-bytes.ts';
import type { readTranscriptStream, TranscriptStream } from './call-transcription-stream.ts';
import { fetchAudio } from './media/fetch-audio.ts';
import type { CallOptions } from './model-task.ts';
import { noteTranscript } from './transcription-use.ts';
import { type Connections, isSandbox, openAccount, readJson } from './use/account.ts';
import { decodedOrNoted } from './use/attempt-use.ts';
import { readAnswer } from './use/read-answer.ts';

/** A request as its target takes it. */
export interface TranscriptionCall {
  readonly provider: Provider;
  readonly protocol: TranscriptionProtocol;
  readonly target: Target;
  readonly request: TranscriptionRequest;
  /** Absent in a dry run: it was not fetched. */
  readonly audio: Audio | undefined;
}

export interface Transcribed extends Transcript {
  /** Whether the local sandbox answered in the provider's place. */
  readonly sandbox: boolean;
}

/** Words of ten hours, each with its times. */
const largestAnswer = 32 * 1024 * 1024;

export async function callTranscription(
  { provider, protocol, target, request, audio: known }: TranscriptionCall,
  { connections, signal, lasting = signal, memory, attempt }: CallOptions,
): Promise<Transcribed | TranscriptStream> {
  const audio = known ?? (await fetched(request, connections, { signal, memory }));
  const { base64, held } = protocol.inJson ? hold(audio) : { base64: '', held: undefined };
  const { readEvent } = isStreamed(request, target) ? protocol : {};
  const account = await openAccount(provider, target, readEvent ? 'stream' : 'body', connections, {
    signal,
    lasting,
    memory,
    attempt,
    ...(held && { held }),
  });
  const { fields, files } = protocol.encode(request, { ...audio, base64 }, target);
  const { listName } = protocol;
  const response = await account.post(protocol.path(request, target), fields, files && { files, listName });
  return await readAnswer(response, {
    protocol,
    async read() {
      if (readEvent && isEvents(response))
        return await readStream(response, { readEvent, request, audio, attempt });
      const body = await readJson(response, largestAnswer);
      const transcript = decodedOrNoted(
        attempt,
        () => protocol.decode(body, request),
        () => protocol.readCounts?.(body),
      );
      noteTranscript(attempt, transcript, audio);
      return { ...transcript, sandbox: isSandbox(response) };
    },
    located: (error) => error,
  });
}

/** Loaded with the first stream. */
const readStream: typeof readTranscriptStream = async (...call) =>
  await (await import('./call-transcription-stream.ts')).readTranscriptStream(...call);

/** A server that has no streams answers with a body. */
const isEvents = ({ headers }: HttpResponse): boolean =>
  (headers['content-type'] ?? '').includes('event-stream');

/** Its base64 is written while it is sent. */
function hold({ bytes }: Audio): { readonly base64: string; readonly held: HeldMedia } {
  const media = { blocks: blocksOf(bytes), length: bytes.length };
  const base64 = base64Of(media);
  return { base64, held: new Map([[base64, media]]) };
}

/** Of a dry run, where something stands for it. */
async function fetched(
  { source }: TranscriptionRequest,
  { fetchMedia }: Pick<Connections, 'fetchMedia'>,
  options: Pick<CallOptions, 'signal' | 'memory'>,
): Promise<Audio> {
  if (!source) throw new TypeError('There is neither audio nor a URL.');
  return await fetchAudio(fetchMedia, source, options);
}
