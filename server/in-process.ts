/** Runs the handlers of the functions in this process, each request no longer than the time limit of its operation. */
import { withTimeout } from '../lib/async/with-timeout.ts';
import type { MeasuredRequest } from '../lib/core/ports/request-metrics.ts';
import type { RoutedOperation } from '../lib/core/routes.ts';
import type { Handler } from '../lib/http/request/http-request.ts';
import { endWith, sendBody } from '../lib/http/send-body.ts';
import { FunctionTimeout, type Invocation, type Invoke } from './http/handle-request.ts';

/** Called with each request that a function has ended. */
type CountRequest = (request: MeasuredRequest) => void;

/** Loads the handler of an operation. */
export type LoadHandler = (operation: RoutedOperation) => Promise<Handler>;

/** Loads all functions at once, so that one that cannot load fails at the start. */
export async function loadInProcessEngine(
  operations: readonly RoutedOperation[],
  load: LoadHandler,
  count?: CountRequest,
): Promise<Invoke> {
  const loaded = await Promise.all(operations.map(async (one) => [one.name, await load(one)] as const));
  const handlers = new Map<string, Handler>(loaded);
  return (invocation) => {
    const { operation, response } = invocation;
    const handler = handlers.get(operation.name);
    if (handler === undefined) throw new Error(`No function for ${operation.name}.`);
    // A response that was closed because the client disconnected needs no error handling.
    response.on('error', () => {});
    return withTimeout(run(handler, invocation, count), operation.timeoutSeconds * 1_000, () =>
      Promise.reject(new FunctionTimeout()),
    );
  };
}

async function run(
  handler: Handler,
  { operation, request, response, requestId, interrupt, memory }: Invocation,
  count: CountRequest | undefined,
): Promise<void> {
  const deadline = Date.now() + operation.timeoutSeconds * 1_000;
  const remainingMs = () => deadline - Date.now();
  const { body, ...head } = await handler(request, { requestId, remainingMs, interrupt, memory, count });
  if (typeof body !== 'string') {
    response.begin(head);
    return await sendBody(body, response);
  }
  // A complete text is sent with its head in one write, and without frames. An answer to HEAD has no body, and no length of it.
  const length = body !== '' && { 'content-length': `${Buffer.byteLength(body)}` };
  response.begin({ ...head, headers: { ...head.headers, ...length } });
  await endWith(response, body);
}
