/**
 * One call of one target: encode, authorize, send, decode. Gives the answer's events; knows nothing of other targets.
 */

import { type Batched, pipe, type Transform } from '../async/pipe.ts';
import { GatewayError } from '../core/errors.ts';
import type { GenerationEvent } from '../core/generation/events.ts';
import type { Frame, FrameReader, GenerationProtocol, StreamDecoder } from '../core/generation/protocol.ts';
import type { ContentPart, GenerationRequest, Message } from '../core/generation/request.ts';
import type { Usage } from '../core/generation/usage.ts';
import type { Target } from '../core/model.ts';
import type { FetchMedia, HttpResponse } from '../core/ports.ts';
import type { Change } from '../normalization/rule.ts';
import { mediaParam } from '../protocols/inline-media.ts';
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
  const { sharedCache } = connections;
  const wire = withNativeFields(protocol, request.nativeFields);
  const { response, changes } = await call({
    protocol: wire,
    target,
    request: ready,
    sharedCache,
    ...account,
  });
  await expectSuccess(response, protocol);
  const decoder = protocol.decodeStream();
  return {
    events: await decode(protocol, decoder, response, request.stream),
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
): Promise<Batched<GenerationEvent>> {
  if (isWhole(response, stream)) return decodeWhole(protocol, response);
  return pipe(response.body, decoding(await createFrameReader(protocol.framing), decoder));
}

async function* decodeWhole(
  protocol: GenerationProtocol,
  response: HttpResponse,
): AsyncGenerator<readonly GenerationEvent[]> {
  try {
    yield protocol.decodeBody(await readJson(response, largestBody));
  } catch (thrown) {
    throw asUpstreamError(thrown);
  }
}

function decoding(reader: FrameReader, decoder: StreamDecoder): Transform<Uint8Array, GenerationEvent> {
  const take = (frames: Iterable<Frame>, out: GenerationEvent[]) => {
    for (const frame of frames) for (const event of decoder.onFrame(frame)) out.push(event);
  };
  return {
    each: (bytes, out) => take(reader.read(bytes), out),
    end(out) {
      take(reader.end(), out);
      out.push(...decoder.onEnd());
    },
    failed: asUpstreamError,
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
  const fetched = async (part: ContentPart, message: number, index: number): Promise<ContentPart> => {
    if (part.type === 'text' || !isFetched[part.type] || !/^https?:/i.test(part.url)) return part;
    const param = mediaParam(part, message, index);
    const { mediaType, base64 } = await fetchMedia(part.url, { kind: part.type, param, signal });
    return { ...part, url: `data:${mediaType};base64,${base64}` };
  };
  const messages = request.messages.map(async (message, position): Promise<Message> => {
    if (message.role !== 'user' && message.role !== 'tool') return message;
    const content = message.content.map((part, index) => fetched(part, position, index));
    return { ...message, content: await Promise.all(content) };
  });
  return { ...request, messages: await Promise.all(messages) };
}
