/** The handler of every operation: one request in, one HTTP response out, and one log line when it is over. */
import { Writable } from 'node:stream';
import type * as z from 'zod/mini';
import type { NoteRefusal } from '../core/accounting/refusal.ts';
import { corsHeaders } from '../core/cors.ts';
import type { Endpoint, RequestEnd } from '../core/endpoint.ts';
import { asGatewayError, type GatewayError } from '../core/errors/errors.ts';
import type { Operation } from '../core/operations.ts';
import type { FindApiKey, FoundApiKey, NoteKeyUse } from '../core/ports/api-keys.ts';
import type { ClaimAnswer } from '../core/ports/kept-answers.ts';
import type { Log } from '../core/ports/log.ts';
import type { OpenMeter, RequestMeter } from '../core/ports/metering.ts';
import type { MeasureRequest } from '../core/ports/request-metrics.ts';
import type { CreateStream } from '../core/ports/resumable-streams.ts';
import type { ReadOn } from '../core/read-on.ts';
import { authenticate, authorize } from './authenticate.ts';
import { type BufferedDeadline, startBufferedDeadline, startDeadline } from './deadline.ts';
import { startEarlyHead } from './early-head.ts';
import type { ReadForm, ReceivedForm } from './form/read-form.ts';
import type { ReadHeldForm } from './form/read-held-form.ts';
import { earlyBodyBytes } from './request/body-limit.ts';
import { callerIds, sessionOf } from './request/caller-ids.ts';
import { isForm, withoutBoundary } from './request/form-type.ts';
import type { Handler, HttpRequest, RequestHost } from './request/http-request.ts';
import { InvalidInput } from './request/parse-input.ts';
import { reachedAt } from './request/reached-at.ts';
import { readAhead, readFields, readInTurns } from './request/read-input.ts';
import { bodyBytes, hasDisconnected, isMethodOf, methodNotAllowed } from './request/request.ts';
import { readTags } from './request/tags.ts';
import { startRequestLog } from './request-log.ts';
import { defaultHeartbeatMs, type HttpAnswer, respond, respondWithError } from './respond.ts';
import type { Resumable } from './resumable.ts';
import type { Outcome } from './streamed-body.ts';

/** The dependencies of serving. */
export interface ServeParts {
  readonly findApiKey: FindApiKey;
  /** Who calls, where no key was sent. Absent: the one whose key the request has. */
  readonly identify?: () => Promise<FoundApiKey>;
  readonly log: Log;
  readonly now: () => number;
  /** Absent for functions that call no provider: their requests are not metered. */
  readonly openMeter?: OpenMeter;
  /** Absent for functions that call no model. */
  readonly claimAnswer?: ClaimAnswer;
  /** Absent for functions that send no stream that can be resumed. */
  readonly createStream?: CreateStream;
  /** Absent for functions that take no files. */
  readonly readForm?: ReadForm;
  /** The same of those that are held in memory. */
  readonly readHeldForm?: ReadHeldForm;
  /** Absent for functions that may only read keys. */
  readonly noteKeyUse?: NoteKeyUse;
  /** Absent for functions that call no model. */
  readonly noteRefusal?: NoteRefusal;
  /** Whether the process was started for this request. Each call asks about another request. */
  readonly isColdStart?: () => boolean;
  /** The period without events after which a stream sends a comment, in milliseconds; 10 s by default. */
  readonly heartbeatMs?: number | undefined;
  /** Absent: the call of a provider ends when the caller leaves. */
  readonly readOn?: ReadOn;
  /** Whether spans are made of requests. */
  readonly isTraced?: boolean;
  /** Absent where log lines have no metrics. */
  readonly measure?: MeasureRequest | undefined;
  /** The origins of the web pages that may read the answers. */
  readonly corsOrigins?: readonly string[];
}

/** The handler of an operation. */
export const serve =
  <Schema extends z.core.$ZodType, Input>(
    operation: Operation,
    endpoint: Endpoint<Schema, Input>,
    parts: ServeParts,
  ): Handler =>
  (request, host) => {
    const answering = handle(operation, endpoint, parts, request, host);
    return request.method === 'HEAD' ? answering.then(withoutBody) : answering;
  };

/** A body that is made while it is sent is read to its end, which reports how the request ended. */
async function withoutBody(answer: HttpAnswer): Promise<HttpAnswer> {
  const nowhere = new Writable({ decodeStrings: false, write: (_chunk, _encoding, done) => done() });
  if (typeof answer.body !== 'string') await answer.body.sendTo(nowhere);
  return { ...answer, body: '' };
}

/** Never throws: every failure becomes a response. */
async function handle<Schema extends z.core.$ZodType, Input>(
  operation: Operation,
  endpoint: Endpoint<Schema, Input>,
  parts: ServeParts,
  request: HttpRequest,
  host: RequestHost,
): Promise<HttpAnswer> {
  const { requestId, memory } = host;
  const { header } = request;
  const { claimAnswer, createStream, log } = parts;
  const isBilled = operation.endpoint !== undefined && operation.onlyCounts !== true;
  const isKept = isBilled || operation.keepsAnswers === true;
  const idempotencyKey = isKept ? header('idempotency-key') : undefined;
  const deadline = startDeadline(host, parts.readOn);
  const requestLog = startRequestLog(operation, request, requestId, {
    log: parts.log,
    now: parts.now,
    isTraced: parts.isTraced ?? false,
    measure: parts.measure,
    count: host.count,
    lambdaRequestId: host.lambdaRequestId,
    coldStart: parts.isColdStart?.(),
  });
  let meter = unmetered;
  let key: FoundApiKey | undefined;
  let buffered: BufferedDeadline | undefined;
  let ended: Outcome | undefined;
  let resumable: Resumable | undefined;
  let form: ReceivedForm | undefined;
  let keep = unkept;
  let atEnd: ((end: RequestEnd) => Promise<void>) | undefined;
  const finished = async (outcome: Outcome) => {
    ended = outcome;
    deadline.clear();
    buffered?.clear();
    requestLog.finish(outcome);
    const refused = isBilled && outcome.error && requestLog.toRefusal(outcome);
    const ends = [
      refused && outcome.error && parts.noteRefusal?.(refused, outcome.error),
      meter.finish(requestLog.toLedger(outcome)),
      key && parts.noteKeyUse?.(key),
      resumable?.end(),
      atEnd?.({ isComplete: outcome.status === 200 && outcome.error === undefined }),
    ];
    const waited = ends.filter((end) => end);
    await (waited.length === 1 ? waited[0] : Promise.all(waited));
  };
  const cors = corsHeaders(parts.corsOrigins ?? [], header('origin'));
  const options = { requestId, errors: operation.errors, cors, finished };
  try {
    if (!isMethodOf(request, operation)) throw methodNotAllowed(request, await allowedMethods(operation));
    const { identify = () => authenticate(request, parts.findApiKey) } = parts;
    const needsKey = operation.authenticated || endpoint.needsKey?.(request.query);
    const identified = needsKey ? identify() : undefined;
    // An unauthenticated caller gets a 401 and nothing else; so an error in the request is thrown only when the result is used.
    const { heldForm } = endpoint;
    const isHeld = heldForm !== undefined && parts.readHeldForm !== undefined && isForm(header);
    const isLate = !endpoint.form && (isHeld || bodyBytes(request) > earlyBodyBytes);
    // It is gone once it is read; a large one is read later, and not held beside what is read from it.
    const earlyBody = isLate || idempotencyKey === undefined ? undefined : request.body;
    const readEarly = isLate || endpoint.form ? undefined : readAhead(endpoint, request);
    key = await identified;
    requestLog.identify(key);
    if (key) {
      authorize(key, operation);
      meter = parts.openMeter?.(key, requestId, callerIds(request).user) ?? unmetered;
    }
    if (key && claimAnswer && idempotencyKey !== undefined) {
      const { claim, keptFor, respondWithKept } = await import('./idempotency.ts');
      const sent = {
        idempotencyKey,
        body: isHeld ? withoutBoundary(header, request.body) : (earlyBody ?? request.body),
        contentEncoding: header('content-encoding'),
      };
      const { signal } = deadline;
      const claimed = await claim(sent, { claimAnswer, operation, key, signal, memory });
      if (claimed.state === 'kept') {
        requestLog.facts.replayed = true;
        return await respondWithKept(claimed.answer, options);
      }
      deadline.outliveCaller();
      const isComplete = () => ended?.status === 200 && ended.error === undefined;
      keep = (answer) => {
        const isDry = requestLog.facts.dryRun === true;
        return keptFor(answer, { claim: claimed, isComplete, isDry, log: parts.log, memory });
      };
    }
    const tags = readTags(request);
    if (tags) requestLog.facts.tags = tags;
    if (isLate) await check(meter, endpoint, { key, mayRead: true });
    const { signal, lasting } = deadline;
    if (key && endpoint.form) form = await parts.readForm?.(request, endpoint.form, { key, signal });
    const readLate = async () =>
      isHeld
        ? readFields(endpoint, request, (await parts.readHeldForm?.(request, heldForm)) ?? {})
        : await readInTurns(endpoint, request, { signal, memory });
    const input = form ? readFields(endpoint, request, form.fields) : await (readEarly ?? readLate)();
    if (key && createStream && endpoint.isResumable?.(input)) {
      const { startResumable } = await import('./resumable.ts');
      const stream = { tenant: key.tenant, operation: operation.name };
      resumable = startResumable({ key, create: () => createStream(stream), log, memory });
      deadline.outliveCaller();
    }
    await check(meter, endpoint, { key, input, mayRead: endpoint.isCostly?.(input) ?? false });
    const limit = endpoint.bufferedLimit?.(input);
    if (limit) buffered = startBufferedDeadline(deadline, limit);
    const { remainingMs } = buffered ?? deadline;
    const sessionId = sessionOf(request);
    const known = { ...(key && { key }), ...(sessionId && { sessionId }), ...(memory && { memory }) };
    const { facts, trace } = requestLog;
    const frame = limit ? undefined : endpoint.earlyFrame?.(requestId);
    const early = frame && startEarlyHead(frame, parts.heartbeatMs ?? defaultHeartbeatMs, signal);
    const answering = endpoint.answer({
      input,
      requestId,
      reachedAt: () => reachedAt(request),
      signal,
      lasting,
      remainingMs,
      facts,
      ...known,
      admit: meter.admit,
      preview: meter.preview,
      begin() {
        resumable?.begin();
        meter.begin(requestLog.toLedger({ status: 200 }));
      },
      atEnd(work) {
        atEnd = work;
      },
      handOver: (planned) => meter.handOver(requestLog.toLedger({ status: 200 }, planned)),
      ...(form && { file: form.file }),
      ...(trace && { trace }),
      ...(early && { onLastTarget: early.onLastTarget }),
    });
    answering.then(requestLog.firstByte, () => {});
    const made = await (early ? early.sendFor(answering) : answering);
    const answer = resumable && made.type === 'stream' ? await resumable.keep(made) : made;
    buffered?.clear();
    const headers = { ...meter.headers(operation.errors), ...answer.headers };
    const answered = await respond(
      { ...answer, headers },
      {
        ...options,
        ifNoneMatch: header('if-none-match'),
        heartbeatMs: parts.heartbeatMs,
        isDisconnected: () => hasDisconnected(host),
      },
    );
    return await keep(resumable?.outlive(answered) ?? answered);
  } catch (thrown) {
    await form?.discard();
    const error = await errorOf(thrown);
    const methods = error.status === 405 ? await allowedMethods(operation) : [];
    return await keep(await respondWithError(error, methods, options, meter.headers(operation.errors)));
  }
}

/** The table of all operations is loaded with the first request that has another method than its route. */
async function allowedMethods({ path }: Operation): Promise<readonly string[]> {
  const [{ operations }, { methodsOf }] = await Promise.all([
    import('../core/operations.ts'),
    import('../core/routes.ts'),
  ]);
  return methodsOf(path, operations);
}

async function errorOf(thrown: unknown): Promise<GatewayError> {
  if (!(thrown instanceof InvalidInput)) return asGatewayError(thrown);
  const { explained } = await import('./request/validate.ts');
  return explained(thrown);
}

/** Of a request that is not sent again. */
const unkept = async (answer: HttpAnswer): Promise<HttpAnswer> => answer;

/** For functions that call no provider. */
const unmetered: RequestMeter = {
  check: () => undefined,
  admit: () => undefined,
  headers: () => ({}),
  begin: () => {},
  handOver: async () => undefined,
  finish: async () => {},
};

interface Checked<Input> {
  readonly key: FoundApiKey | undefined;
  /** Absent while the body is not read. */
  readonly input?: Input;
  readonly mayRead: boolean;
}

/** Refuses a request whose limits are used up, as far as that is known. */
function check<Schema extends z.core.$ZodType, Input>(
  meter: RequestMeter,
  { mayBeFree }: Endpoint<Schema, Input>,
  { key, input, mayRead }: Checked<Input>,
): Promise<void> | undefined {
  const isFree = async () => key !== undefined && ((await mayBeFree?.(key, input)) ?? false);
  return meter.check({ mayRead, mayBeFree: isFree });
}
