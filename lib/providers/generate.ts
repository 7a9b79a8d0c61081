/**
 * One call of one target: encode, authorize, send, decode. Gives the answer's events; knows nothing of other targets.
 */
import { createHash } from 'node:crypto';
import { GatewayError } from '../core/errors.ts';
import type { GenerationEvent } from '../core/events.ts';
import type { GenerationRequest, Message } from '../core/generation.ts';
import type { Target } from '../core/model.ts';
import type {
  Clocks,
  FetchImage,
  FindProviderAccess,
  HttpResponse,
  Send,
  SharedNotes,
} from '../core/ports.ts';
import type { GenerationProtocol } from '../core/protocol.ts';
import type { Change } from '../normalization/rule.ts';
import { readFrames } from '../transport/frames.ts';
import { readBody, readBytes } from '../transport/read-body.ts';
import { withNativeFields } from './native-fields.ts';
import { callOnce, type Generation, type Provider, type ReadyCall, rootOf } from './provider.ts';

/** What a call needs from the outer world. */
export interface Connections {
  readonly send: Send;
  readonly findAccess: FindProviderAccess;
  readonly fetchImage: FetchImage;
  readonly notes: SharedNotes;
  /** Clocks of the whole deployment; where set, they replace the catalog's. */
  readonly clocks: Partial<Clocks>;
}

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
const largestFailure = 256 * 1024;

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
  const account = await openAccount(provider, target, request.stream, connections, signal);
  const { notes } = connections;
  const wire = withNativeFields(protocol, request.nativeFields);
  const { response, changes } = await call({ protocol: wire, target, request: ready, notes, ...account });
  if (response.status < 200 || response.status > 299) throw await readFailure(protocol, response);
  return {
    events: decode(protocol, response, request.stream),
    sandbox: response.headers['x-gateway-sandbox'] === 'true',
    changes,
  };
}

/** What a call needs of the account that the gateway has with the provider. */
async function openAccount(
  provider: Provider,
  target: Target,
  stream: boolean,
  connections: Connections,
  signal: AbortSignal,
): Promise<Pick<ReadyCall, 'post' | 'scope' | 'account'>> {
  const { region } = target.deployment;
  const access = await connections.findAccess(provider.name);
  const root = rootOf(provider, region, access);
  const clocks = chooseClocks(target, stream, connections.clocks);
  const headers = { 'content-type': 'application/json' };
  const identity = JSON.stringify([root, access.apiKey, access.settings]);
  return {
    scope: provider.scope?.(region, access) ?? '',
    account: createHash('sha256').update(identity).digest('hex'),
    async post(path, body) {
      const request = { method: 'POST', url: `${root}${path}`, headers, body: JSON.stringify(body) } as const;
      return connections.send(await provider.authorize(request, access, region), { clocks, signal });
    },
  };
}

async function readFailure(protocol: GenerationProtocol, response: HttpResponse): Promise<GatewayError> {
  const { status, headers } = response;
  // A body too long to be read takes nothing from what the status says.
  const bytes = await readBytes(response, largestFailure);
  const error = protocol.readFailure({ status, headers, body: new TextDecoder().decode(bytes) });
  const advice = headers['x-should-retry'];
  return advice === 'true' || advice === 'false' ? error.with({ mayRetry: advice === 'true' }) : error;
}

function chooseClocks(target: Target, stream: boolean, overrides: Partial<Clocks>): Clocks {
  const { connectMs, firstByteMs, bodyMs, silenceMs } = target.model.clocks;
  return { connectMs, silenceMs, firstByteMs: stream ? firstByteMs : bodyMs, ...overrides };
}

async function* decode(
  protocol: GenerationProtocol,
  response: HttpResponse,
  stream: boolean,
): AsyncGenerator<GenerationEvent> {
  try {
    if (isWhole(response, stream)) {
      yield* protocol.decodeBody(parse(await readBody(response, largestBody)));
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

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw unreadable(cause);
  }
}

function unreadable(cause: unknown): GatewayError {
  return new GatewayError('upstream_invalid_answer', "The provider's answer could not be read.", { cause });
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
