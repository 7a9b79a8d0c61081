/**
 * The handler of a function that serves several operations. API Gateway gives it every path below one of its own, and a server those of
 * the route table: both are found by the same table.
 */
import { GatewayError } from '../core/errors/errors.ts';
import { createFindRoute, type Route } from '../core/find-route.ts';
import type { Operation, OperationName } from '../core/operations.ts';
import type { Handler, HttpRequest } from './request/http-request.ts';
import { respondWithError } from './respond.ts';

/** The handlers of operations by their names. */
type GroupHandlers = Readonly<Partial<Record<OperationName, Handler>>>;

export function serveGroup(operations: readonly Operation[], handlers: GroupHandlers): Handler {
  const findRoute = createFindRoute(operations);
  return async (request, host) => {
    const path = servedPath(request);
    const route = findRoute(request.method === 'HEAD' ? 'GET' : request.method, path);
    const handle = route && handlers[route.operation.name as OperationName];
    if (handle) return await handle(routed(request, route), host);
    const { requestId } = host;
    return await respondWithError(unknown(request), [], { requestId, finished: async () => {} });
  };
}

/** The request has its body on demand, so it is not copied. */
const routed = (request: HttpRequest, { template, pathParameters }: Route): HttpRequest =>
  Object.assign(Object.create(request) as HttpRequest, { template, pathParameters });

/** Without the stage of API Gateway: the template with the values of its parameters. */
const servedPath = ({ template, pathParameters }: HttpRequest): string =>
  template.replaceAll(/\{(\w+)\+?\}/g, (_, name: string) => pathParameters[name] ?? '');

const unknown = ({ method, path }: HttpRequest) =>
  new GatewayError('not_found', `Unknown request URL: ${method} ${path.slice(0, 200)}.`);
