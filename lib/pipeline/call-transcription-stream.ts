/** One target whose transcript comes as it is heard. Knows nothing of other targets. */
import { withFirst } from '../async/with-first.ts';
import type { AttemptFacts } from '../core/endpoint.ts';
import { GatewayError } from '../core/errors/errors.ts';
import type {
  Audio,
  TranscriptEvent,
  TranscriptionProtocol,
  TranscriptionRequest,
} from '../core/generation/transcription.ts';
import { inputOnly } from '../core/generation/usage.ts';
import type { HttpResponse } from '../core/ports/http.ts';
import { audioTokens, bytesPerToken, heardMs, noteTranscript, promptTokens } from './transcription-use.ts';
import { isSandbox } from './use/account.ts';
import { isStated, noteEstimate, noteFree } from './use/attempt-use.ts';
import { readEvents } from './use/read-events.ts';

export interface TranscriptStream {
  /** As they come; the last one is `done`. Throws GatewayError for what breaks off. */
  readonly events: AsyncIterable<TranscriptEvent>;
  /** Whether the local sandbox answered in the provider's place. */
  readonly sandbox: boolean;
}

interface StreamCall {
  readonly readEvent: NonNullable<TranscriptionProtocol['readEvent']>;
  readonly request: TranscriptionRequest;
  readonly audio: Audio;
  readonly attempt: AttemptFacts;
}

/** In characters: what is said in a month. */
const largestText = 32 * 1024 * 1024;

/** Resolves with the first event: no other target is tried after it. */
export async function readTranscriptStream(
  response: HttpResponse,
  call: StreamCall,
): Promise<TranscriptStream> {
  const events = counting(
    readEvents(response, (data) => call.readEvent(data, call.request)),
    call,
  );
  const first = await events.next();
  if (first.done) throw cut();
  return { events: withFirst(first.value, events), sandbox: isSandbox(response) };
}

const cut = () => new GatewayError('upstream_cut', 'The provider ended its response before its end.');

/** Notes what the stream has used, with its last event. What ends before is estimated, but for what the provider refuses. */
async function* counting(
  events: AsyncGenerator<TranscriptEvent | undefined>,
  { attempt, audio, request }: StreamCall,
): AsyncGenerator<TranscriptEvent> {
  let size = 0;
  let state: 'open' | 'refused' | 'done' = 'open';
  try {
    for await (const event of events) {
      if (!event) continue;
      if (event.type === 'done') {
        state = 'done';
        noteTranscript(attempt, event.transcript, audio);
      } else size += (event.type === 'delta' ? event : event.segment).text.length;
      if (size > largestText)
        throw new GatewayError('upstream_invalid_answer', 'The provider sent too much text.', {
          mayRetry: false,
        });
      yield event;
      if (event.type === 'done') return;
    }
    throw cut();
  } catch (thrown) {
    if (state === 'open' && size === 0 && isStated(thrown)) state = 'refused';
    throw thrown;
  } finally {
    if (state === 'refused') noteFree(attempt);
    if (state === 'open') noteCut(attempt, { request, ms: heardMs(audio.ms, size), size });
  }
}

const charactersPerToken = 4;

interface Heard extends Pick<StreamCall, 'request'> {
  /** Of the audio; absent: unknown. */
  readonly ms: number | undefined;
  /** In characters. */
  readonly size: number;
}

/** All of the audio, and what was sent beside it, may have been read. How long it is unknown where its container does not say it: then the use is, too. */
function noteCut(attempt: AttemptFacts, { request, ms, size }: Heard): void {
  const { price } = attempt.price ?? {};
  if (!price || price.audioHour !== undefined) {
    noteTranscript(attempt, { text: '' }, ms === undefined ? {} : { ms });
    return;
  }
  if (ms === undefined) return;
  const inputAudioTokens = audioTokens(ms);
  const input = promptTokens(request, bytesPerToken) + inputAudioTokens;
  const completionTokens = Math.ceil(size / charactersPerToken);
  noteEstimate(attempt, { ...inputOnly(input), inputAudioTokens, completionTokens });
}
