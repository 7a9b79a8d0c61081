/**
 * One call of a target that generates text: fetch media, encode, authorize, send, decode up to the first meaningful event.
 * Knows nothing of other targets.
 */
import { followSignal } from '../../async/follow-signal.ts';
import { type Piped, pipe, type Transform } from '../../async/pipe.ts';
import { single } from '../../async/single.ts';
import type { RunUpstream } from '../../core/background.ts';
import type { Target } from '../../core/catalog/model.ts';
import type { AttemptFacts } from '../../core/endpoint.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { withCallerPath } from '../../core/generation/caller-path.ts';
import type { GenerationEvent } from '../../core/generation/events.ts';
import type {
  AnswerFormat,
  Frame,
  FrameReader,
  GenerationProtocol,
  StreamDecoder,
} from '../../core/generation/original/protocol.ts';
import type { GenerationRequest } from '../../core/generation/request.ts';
import type { HttpResponse } from '../../core/ports/http.ts';
import type { Change } from '../../normalization/rule.ts';
import { restoreCalls } from '../../normalization/tools/restore-calls.ts';
import { callOnce, type Generation, type Provider, type ReadyCall } from '../../providers/provider.ts';
import { createFrameReader } from '../../transport/framing/sse.ts';
import { createStreamBound, maxAnswerBytes } from '../answer-bounds.ts';
import { awaitFirstEvent } from '../first-event.ts';
import { fetchForTarget } from '../media/fetch-for-target.ts';
import type { CallOptions } from '../model-task.ts';
import { withNativeFields } from '../native-fields.ts';
import { readingOn } from '../read-on.ts';
import { withoutSecrets } from '../secrets.ts';
import {
  expectSuccess,
  isSandbox,
  isSuccess,
  openAccount,
  readExactJson,
  readJson,
  unreadable,
} from '../use/account.ts';
import { decodedOrNoted, noteUse, notingUse } from '../use/attempt-use.ts';

/** A request as its target takes it, and by which protocol. */
export interface GenerationCall {
  readonly provider: Provider;
  readonly generation: Generation;
  readonly target: Target;
  readonly request: GenerationRequest;
  /** Of a run, whose response the provider may create in the background. */
  readonly run?: RunUpstream | undefined;
}

/** What a target answered. */
export interface UpstreamAnswer {
  /** The whole answer, from its first event on. Throws GatewayError only. */
  readonly events: Piped<GenerationEvent>;
  /** Whether the local sandbox answered in the provider's place. */
  readonly sandbox: boolean;
  /** What was changed after the rules. */
  readonly changes: readonly Change[];
}

/**
 * Resolves with the first meaningful event. Rejects with GatewayError when the target cannot be reached, answers with an
 * error, or takes longer than `firstOutputMs` from its response to that event. The attempt has what the answer uses when its
 * events have been read or left.
 */
export async function callGeneration(
  { provider, generation, target, request, run }: GenerationCall,
  { connections, media, signal, lasting = signal, memory, firstOutputMs, tenant, attempt }: CallOptions,
): Promise<UpstreamAnswer> {
  const tier = request.parameters.service_tier;
  if (tier !== undefined) attempt.tier = tier;
  const { protocol, call = callOnce, callRun } = generation;
  const { sharedCache, maxCacheSeconds } = connections;
  // Only an answer that may be given up for another target ends before its request.
  const ending = firstOutputMs === undefined ? undefined : followSignal(lasting);
  // What an earlier worker has sent is not sent again.
  const fetched = run?.begun
    ? { request, changes: [] }
    : await fetchForTarget(request, generation, media, signal);
  const ready = fetched.request;
  const form = request.stream ? 'stream' : 'body';
  const options = {
    signal,
    lasting: ending?.signal ?? lasting,
    memory,
    attempt,
    held: media.held,
  };
  const account = await openAccount(provider, target, form, connections, options);
  const extended = withNativeFields(protocol, request.nativeFields);
  const readyCall: ReadyCall = {
    protocol: extended,
    target,
    request: ready,
    sharedCache,
    tenant,
    maxCacheSeconds,
    noteUse: (used) => noteUse(attempt, used),
    signal: options.lasting,
    ...account,
  };
  const { response, changes } = run && callRun ? await callRun({ ...readyCall, run }) : await call(readyCall);
  // Paths come from the request before media were fetched: a closure over their bytes would keep them as long as the stream.
  const asFailure = (thrown: unknown) =>
    withCallerPath(withoutSecrets(asUpstreamError(thrown), response.secrets), request);
  if (!isSuccess(response)) {
    await expectSuccess(response, protocol).catch((thrown) => {
      throw withCallerPath(thrown, request);
    });
  }
  const decoded = await decode(protocol, response, { request, attempt, asFailure });
  const events = withCallerCalls(decoded, request);
  return {
    events: await awaitFirstEvent(events, { limitMs: firstOutputMs, ending }),
    sandbox: isSandbox(response),
    changes: [...fetched.changes, ...changes],
  };
}

/** The same answer, with the caller's names of tools. */
function withCallerCalls(
  events: Piped<GenerationEvent>,
  { tools }: GenerationRequest,
): Piped<GenerationEvent> {
  const restore = restoreCalls(tools);
  if (!restore) return events;
  return pipe(events, {
    each(list, out: GenerationEvent[]) {
      for (const event of list) out.push(...restore(event));
    },
  });
}

interface Decoding {
  readonly request: GenerationRequest;
  readonly attempt: AttemptFacts;
  readonly asFailure: (thrown: unknown) => GatewayError;
}

async function decode(
  protocol: GenerationProtocol,
  response: HttpResponse,
  { request, attempt, asFailure }: Decoding,
): Promise<Piped<GenerationEvent>> {
  const form = request.original ? 'original' : 'meaning';
  if (isWhole(response, request.stream)) {
    const noted = notingUse({ attempt, request, isWhole: true, usageSoFar: () => undefined });
    return pipe(
      single(() => decodeWhole(protocol, response, { form, attempt, asFailure })),
      noted,
    );
  }
  const decoder = protocol.decodeStream(form);
  const noted = notingUse({ attempt, request, isWhole: false, usageSoFar: () => decoder.usageSoFar?.() });
  const decoded = decoding(await createFrameReader(protocol.framing), decoder, asFailure);
  return readingOn(response.body, { decoding: decoded, noted });
}

async function decodeWhole(
  protocol: GenerationProtocol,
  response: HttpResponse,
  { form, attempt, asFailure }: Omit<Decoding, 'request'> & { readonly form: AnswerFormat },
): Promise<readonly GenerationEvent[]> {
  try {
    const read = form === 'original' ? readExactJson : readJson;
    const body = await read(response, maxAnswerBytes);
    return decodedOrNoted(
      attempt,
      () => protocol.decodeBody(body, form),
      () => protocol.readUsage(body),
    );
  } catch (thrown) {
    throw asFailure(thrown);
  }
}

function decoding(
  reader: FrameReader,
  decoder: StreamDecoder,
  failed: (thrown: unknown) => GatewayError,
): Transform<Uint8Array, GenerationEvent> {
  const bound = createStreamBound();
  const pass = (events: Iterable<GenerationEvent>, out: GenerationEvent[]) => {
    for (const event of events) {
      bound.addEvent(event);
      out.push(event);
    }
  };
  const take = (frames: Iterable<Frame>, out: GenerationEvent[]) => {
    for (const frame of frames) pass(decoder.onFrame(frame), out);
  };
  return {
    each(bytes, out) {
      bound.addBytes(bytes.length);
      take(reader.read(bytes), out);
    },
    end(out) {
      take(reader.end(), out);
      pass(decoder.onEnd(), out);
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
