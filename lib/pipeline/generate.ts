/**
 * One call of one target: encode, authorize, send, decode. Gives the answer's events; knows nothing of other targets.
 */

import { type Batched, pipe, type Transform } from '../async/pipe.ts';
import { GatewayError } from '../core/errors.ts';
import { withCallerPath } from '../core/generation/caller-path.ts';
import type { GenerationEvent } from '../core/generation/events.ts';
import type { Frame, FrameReader, GenerationProtocol, StreamDecoder } from '../core/generation/protocol.ts';
import type { ContentPart, GenerationRequest, Message } from '../core/generation/request.ts';
import { pathOf } from '../core/generation/source.ts';
import type { Usage } from '../core/generation/usage.ts';
import type { Target } from '../core/model.ts';
import type { FetchMedia, HttpResponse } from '../core/ports.ts';
import type { Change } from '../normalization/rule.ts';
import { callOnce, type Generation, type Provider } from '../providers/provider.ts';
import { createFrameReader } from '../transport/framing/frames.ts';
import { type Connections, expectSuccess, isSandbox, openAccount, readJson, unreadable } from './account.ts';
import { withNativeFields } from './native-fields.ts';

/** What a target answered, from its first byte on. */
export interface UpstreamAnswer {
  /** Throws GatewayError only. */
  readonly events: Batched<GenerationEvent>;
  /** What upstream has counted of it so far, where its wire counts before the end. */
  readonly usageSoFar: () => Usage | undefined;
  /** Whether the local sandbox answered in the provider's place. */
  readonly sandbox: boolean;
  /** What was changed after the rules. */
  readonly changes: readonly Change[];
}

const largestBody = 64 * 1024 * 1024;

/** Calls the target. Rejects with GatewayError when the target cannot be reached or answers with an error status. */
export async function generate(
  provider: Provider,
  generation: Generation,
  target: Target,
  request: GenerationRequest,
  connections: Connections,
  signal: AbortSignal,
): Promise<UpstreamAnswer> {
  const { protocol, call = callOnce } = generation;
  const ready = await withFetchedMedia(request, generation, connections.fetchMedia, signal);
  const form = request.stream ? 'stream' : 'body';
  const account = await openAccount(provider, target, form, connections, signal);
  const { notes } = connections;
  const wire = withNativeFields(protocol, request.nativeFields);
  const { response, changes } = await call({ protocol: wire, target, request: ready, notes, ...account });
  const asFailure = (thrown: unknown) => withCallerPath(asUpstreamError(thrown), ready);
  await expectSuccess(response, protocol).catch((thrown) => {
    throw withCallerPath(thrown, ready);
  });
  const decoder = protocol.decodeStream();
  return {
    events: await decode(protocol, decoder, response, request.stream, asFailure),
    usageSoFar: () => decoder.usageSoFar?.(),
    sandbox: isSandbox(response),
    changes,
  };
}

async function decode(
  protocol: GenerationProtocol,
  decoder: StreamDecoder,
  response: HttpResponse,
  stream: boolean,
  asFailure: (thrown: unknown) => GatewayError,
): Promise<Batched<GenerationEvent>> {
  if (isWhole(response, stream)) return decodeWhole(protocol, response, asFailure);
  return pipe(response.body, decoding(await createFrameReader(protocol.framing), decoder, asFailure));
}

async function* decodeWhole(
  protocol: GenerationProtocol,
  response: HttpResponse,
  asFailure: (thrown: unknown) => GatewayError,
): AsyncGenerator<readonly GenerationEvent[]> {
  try {
    yield protocol.decodeBody(await readJson(response, largestBody));
  } catch (thrown) {
    throw asFailure(thrown);
  }
}

function decoding(
  reader: FrameReader,
  decoder: StreamDecoder,
  failed: (thrown: unknown) => GatewayError,
): Transform<Uint8Array, GenerationEvent> {
  const take = (frames: Iterable<Frame>, out: GenerationEvent[]) => {
    for (const frame of frames) for (const event of decoder.onFrame(frame)) out.push(event);
  };
  return {
    each: (bytes, out) => take(reader.read(bytes), out),
    end(out) {
      take(reader.end(), out);
      out.push(...decoder.onEnd());
    },
    failed,
  };
}

const asUpstreamError = (thrown: unknown) => (thrown instanceof GatewayError ? thrown : unreadable(thrown));

/** Some hosts answer a streamed request with one body, so the answer's own word counts for more than the request's. */
function isWhole(response: HttpResponse, stream: boolean): boolean {
  const type = response.headers['content-type'] ?? '';
  if (type.startsWith('application/json')) return true;
  return !stream && !type.startsWith('text/event-stream');
}

async function withFetchedMedia(
  request: GenerationRequest,
  { takesImageUrls, takesFileUrls = false }: Generation,
  fetchMedia: FetchMedia,
  signal: AbortSignal,
): Promise<GenerationRequest> {
  const isFetched = { text: false, image: !takesImageUrls, file: !takesFileUrls };
  const fetched = async (part: ContentPart): Promise<ContentPart> => {
    if (part.type === 'text' || !isFetched[part.type] || !/^https?:/i.test(part.url)) return part;
    const options = { kind: part.type, param: pathOf(part, 'url'), signal };
    const { mediaType, base64 } = await fetchMedia(part.url, options);
    return { ...part, url: `data:${mediaType};base64,${base64}` };
  };
  const messages = request.messages.map(async (message): Promise<Message> => {
    if (message.role !== 'user' && message.role !== 'tool') return message;
    return { ...message, content: await Promise.all(message.content.map(fetched)) };
  });
  return { ...request, messages: await Promise.all(messages) };
}
