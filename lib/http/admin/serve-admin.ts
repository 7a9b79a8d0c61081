/**
 * The handler of an operation of the dashboard: who calls, whether they may, the validated request, one answer and one log
 * line. It never touches the limits of an API key, and nothing of it is metered.
 */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type * as z from 'zod/mini';
import type { AdminAnswer, AdminEndpoint, OpenCall, OpenEndpoint } from '../../core/admin/admin-endpoint.ts';
import { type AdminOperation, adminOperations } from '../../core/admin/admin-operations.ts';
import type { FindUser, Shown, User } from '../../core/admin/user.ts';
import { asGatewayError } from '../../core/errors/errors.ts';
import type { Log } from '../../core/ports/log.ts';
import { methodsOf } from '../../core/routes.ts';
import { acceptsGzip } from '../accepts-gzip.ts';
import { startDeadline } from '../deadline.ts';
import type { Handler, HttpRequest } from '../request/http-request.ts';
import { isMethodOf, jsonBody, methodNotAllowed, parameters } from '../request/request.ts';
import { validate } from '../request/validate.ts';
import { type HttpAnswer, respondWithError } from '../respond.ts';
import type { Outcome } from '../streamed-body.ts';
import { checkRole, identify, refuseOtherSites, shownBy } from './admin-access.ts';
import { startAdminLog } from './admin-log.ts';
import type { AnswerOnceParts } from './answer-once.ts';

/** The dependencies of serving. */
interface AdminParts extends AnswerOnceParts {
  readonly findUser: FindUser;
  readonly log: Log;
  readonly now: () => number;
  readonly isColdStart?: () => boolean;
  /** Where the dashboard is, if it is served at another name than these operations. */
  readonly pageUrl?: string | undefined;
  /** Whether the address of a connection counts as this machine. */
  readonly isLocalAddress: (address: string) => boolean;
}

type Schema = z.core.$ZodType;
type Note = (user: User) => void;

/** What is known of the caller before the request is read. */
type FindCaller<Caller> = (request: HttpRequest, shown: Shown, note: Note) => Promise<Caller>;

interface Served<Parameters extends Schema, Body extends Schema, Caller> {
  readonly parameters: Parameters;
  readonly body: Body;
  readonly answer: (
    call: OpenCall<z.core.output<Parameters>, z.core.output<Body>> & Caller,
  ) => Promise<AdminAnswer>;
}

/** For people whose role may call the operation. */
export function serveAdmin<Parameters extends Schema, Body extends Schema>(
  operation: AdminOperation,
  endpoint: AdminEndpoint<Parameters, Body>,
  parts: AdminParts,
) {
  if (!operation.roles) throw new RangeError(`The operation ${operation.name} is for no role.`);
  const once: typeof endpoint = {
    ...endpoint,
    async answer(call) {
      const idempotencyKey = operation.keepsAnswer && call.header('idempotency-key');
      if (typeof idempotencyKey !== 'string') return await endpoint.answer(call);
      const { answerOnce } = await import('./answer-once.ts');
      return await answerOnce({ ...call, idempotencyKey }, operation, parts, () => endpoint.answer(call));
    },
  };
  return handlerOf(operation, once, parts, async (request, shown, note) => {
    const user = await identify(request, shown, parts.findUser);
    note(user);
    checkRole(user, operation);
    return { user };
  });
}

/** For an operation that needs no sign-in. */
export function serveOpen<Parameters extends Schema, Body extends Schema>(
  operation: AdminOperation,
  endpoint: OpenEndpoint<Parameters, Body>,
  parts: AdminParts,
) {
  if (operation.roles) throw new RangeError(`The operation ${operation.name} is for people with a role.`);
  return handlerOf(operation, endpoint, parts, async () => ({}));
}

/** Its handler never throws: every failure becomes a response. */
function handlerOf<Parameters extends Schema, Body extends Schema, Caller extends object>(
  operation: AdminOperation,
  endpoint: Served<Parameters, Body, Caller>,
  parts: AdminParts,
  findCaller: FindCaller<Caller>,
): Handler {
  return async (request, host) => {
    const { requestId, lambdaRequestId } = host;
    const deadline = startDeadline(host);
    const coldStart = parts.isColdStart?.();
    const called = { operation, requestId, lambdaRequestId, coldStart };
    const log = startAdminLog(called, parts);
    try {
      if (!isMethodOf(request, operation))
        throw methodNotAllowed(request, methodsOf(operation.path, adminOperations));
      refuseOtherSites(request, operation, parts.pageUrl);
      const shown = shownBy(request, parts.isLocalAddress);
      const caller = await findCaller(request, shown, log.identify);
      const answer = await endpoint.answer({
        ...caller,
        parameters: validate(endpoint.parameters, parameters(request)),
        body: validate(endpoint.body, bodyOf(request)),
        shown,
        header: request.header,
        requestId,
        signal: deadline.signal,
      });
      const written = write(answer, requestId);
      log.finish({ status: written.statusCode });
      return request.method === 'HEAD' ? { ...written, body: '' } : await compressed(written, request);
    } catch (thrown) {
      const methods = methodsOf(operation.path, adminOperations);
      const finished = async (outcome: Outcome) => log.finish(outcome);
      return await respondWithError(asGatewayError(thrown), methods, { requestId, finished }, noStore);
    } finally {
      deadline.clear();
    }
  };
}

/** An empty body needs no content type. */
function bodyOf(request: HttpRequest): unknown {
  return request.body.length === 0 ? {} : jsonBody(request).body;
}

const gzipped = promisify(gzip);

/** Shorter texts fit in one packet as they are. */
const shortestCompressed = 1_400;

/** Lists are long, and what stands before an operation compresses no answer that no cache may have. */
async function compressed(answer: HttpAnswer, request: HttpRequest): Promise<HttpAnswer> {
  const { body } = answer;
  if (typeof body !== 'string' || body.length < shortestCompressed || !acceptsGzip(request)) return answer;
  const bytes = await gzipped(body);
  return {
    ...answer,
    headers: { ...answer.headers, 'content-encoding': 'gzip', vary: 'accept-encoding' },
    body: {
      async sendTo(response) {
        response.write(bytes);
      },
    },
  };
}

/** What is shown to one user is for no cache. */
const noStore = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

function write(answer: AdminAnswer, requestId: string): HttpAnswer {
  const common = { 'x-request-id': requestId, ...noStore };
  const cookies = answer.cookies && { multiValueHeaders: { 'set-cookie': answer.cookies } };
  if (answer.type === 'redirect') {
    const headers = { ...common, location: answer.location, 'referrer-policy': 'no-referrer' };
    return { statusCode: 303, headers, ...cookies, body: '' };
  }
  const headers = { ...common, ...answer.headers, 'content-type': 'application/json' };
  return { statusCode: 200, headers, ...cookies, body: JSON.stringify(answer.body) };
}
