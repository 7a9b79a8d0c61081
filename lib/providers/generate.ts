/**
 * One call of one target: encode, authorize, send, decode. Gives the answer's events; knows nothing of other targets.
 */
import { GatewayError } from '../core/errors.ts';
import type { GenerationEvent } from '../core/events.ts';
import type { GenerationRequest, Message } from '../core/generation.ts';
import type { Target } from '../core/model.ts';
import type { FetchImage, HttpResponse } from '../core/ports.ts';
import type { GenerationProtocol } from '../core/protocol.ts';
import type { Change } from '../normalization/rule.ts';
import { readFrames } from '../transport/frames.ts';
import { type Connections, expectSuccess, isSandbox, openAccount, readJson, unreadable } from './account.ts';
import { withNativeFields } from './native-fields.ts';
import { callOnce, type Generation, type Provider } from './provider.ts';

/** What a target answered, from its first byte on. */
export interface UpstreamAnswer {
  /** Throws GatewayError only. */
  readonly events: AsyncIterable<GenerationEvent>;
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
  const ready = generation.takesImageUrls
    ? request
    : await withFetchedImages(request, connections.fetchImage, signal);
  const form = request.stream ? 'stream' : 'body';
  const account = await openAccount(provider, target, form, connections, signal);
  const { notes } = connections;
  const wire = withNativeFields(protocol, request.nativeFields);
  const { response, changes } = await call({ protocol: wire, target, request: ready, notes, ...account });
  await expectSuccess(response, protocol);
  return { events: decode(protocol, response, request.stream), sandbox: isSandbox(response), changes };
}

async function* decode(
  protocol: GenerationProtocol,
  response: HttpResponse,
  stream: boolean,
): AsyncGenerator<GenerationEvent> {
  try {
    if (isWhole(response, stream)) {
      yield* protocol.decodeBody(await readJson(response, largestBody));
      return;
    }
    const decoder = protocol.decodeStream();
    for await (const frame of readFrames(response.body, protocol.framing)) yield* decoder.onFrame(frame);
    yield* decoder.onEnd();
  } catch (thrown) {
    throw thrown instanceof GatewayError ? thrown : unreadable(thrown);
  }
}

/** Some hosts answer a streamed request with one body, so the answer's own word counts for more than the request's. */
function isWhole(response: HttpResponse, stream: boolean): boolean {
  const type = response.headers['content-type'] ?? '';
  if (type.startsWith('application/json')) return true;
  return !stream && !type.startsWith('text/event-stream');
}

async function withFetchedImages(
  request: GenerationRequest,
  fetchImage: FetchImage,
  signal: AbortSignal,
): Promise<GenerationRequest> {
  const messages = request.messages.map((message, position) =>
    fetchImagesOf(message, `messages.${position}`, fetchImage, signal),
  );
  return { ...request, messages: await Promise.all(messages) };
}

async function fetchImagesOf(
  message: Message,
  path: string,
  fetchImage: FetchImage,
  signal: AbortSignal,
): Promise<Message> {
  if (message.role !== 'user' && message.role !== 'tool') return message;
  const content = message.content.map(async (part, position) => {
    if (part.type !== 'image' || !/^https?:/i.test(part.url)) return part;
    const param = `${path}.content.${position}.image_url.url`;
    const { mediaType, base64 } = await fetchImage(part.url, { param, signal });
    return { ...part, url: `data:${mediaType};base64,${base64}` };
  });
  return { ...message, content: await Promise.all(content) };
}
