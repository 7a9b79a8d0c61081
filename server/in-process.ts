/**
 * Runs the functions in this process, as the Lambda runtime would, and no longer than their operations' time limits. In addition,
 * `context.signal` aborts when the client disconnects, or the server stops.
 */
import { totalmem } from 'node:os';
import { constrainedMemory } from 'node:process';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { withTimeout } from '../lib/async/with-timeout.ts';
import type { RequestMemory } from '../lib/core/ports/memory.ts';
import type { MeasuredRequest } from '../lib/core/ports/request-metrics.ts';
import type { RoutedOperation } from '../lib/core/routes.ts';
import { FunctionTimeout, type Invocation, type Invoke } from './http/handle-request.ts';
import type { ResponseStream } from './http/response-stream.ts';
import { installLambdaGlobals } from './lambda-globals.ts';

/** The context of a function in a server. */
export interface ServerContext extends Context {
  /** Aborts when the client disconnects, and with a GatewayError as its reason when the server stops. Lambda itself never sets it. */
  readonly signal: AbortSignal;
  readonly memory?: RequestMemory;
  readonly count?: CountRequest;
}

/** Called with each request that a function has ended. */
type CountRequest = (request: MeasuredRequest) => void;

export type StreamingHandler = (
  event: APIGatewayProxyEvent,
  responseStream: ResponseStream,
  context: ServerContext,
) => Promise<unknown>;

/** Loads the handler of an operation: the `handler` of its entry module. */
export type LoadHandler = (operation: RoutedOperation) => Promise<StreamingHandler>;

/** Loads all functions at once, so that one that cannot load fails at the start. */
export async function loadInProcessEngine(
  operations: readonly RoutedOperation[],
  load: LoadHandler,
  count?: CountRequest,
): Promise<Invoke> {
  installLambdaGlobals();
  const loaded = await Promise.all(operations.map(async (one) => [one.name, await load(one)] as const));
  const handlers = new Map<string, StreamingHandler>(loaded);
  return async (invocation) => {
    const handler = handlers.get(invocation.operation.name);
    if (handler === undefined) throw new Error(`No function for ${invocation.operation.name}.`);
    await run(handler, invocation, count);
  };
}

async function run(
  handler: StreamingHandler,
  invocation: Invocation,
  count: CountRequest | undefined,
): Promise<void> {
  const { operation, event, response } = invocation;
  // A response that was closed because the client disconnected needs no error handling.
  response.on('error', () => {});
  await withTimeout(
    handler(event, response, { ...buildContext(invocation), ...(count && { count }) }),
    operation.timeoutSeconds * 1_000,
    () => Promise.reject(new FunctionTimeout()),
  );
  if (!response.writableEnded && !response.destroyed) throw new Error('The function did not end its answer.');
}

/** Of all requests together. */
const memoryLimitInMB = `${Math.round((constrainedMemory() || totalmem()) / 2 ** 20)}`;

function buildContext({ operation, requestId, signal, memory }: Invocation): ServerContext {
  const deadline = Date.now() + operation.timeoutSeconds * 1_000;
  const unsupported = () => {
    throw new Error('Callbacks are not supported.');
  };
  return {
    callbackWaitsForEmptyEventLoop: false,
    functionName: operation.name,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:server:000000000000:function:${operation.name}`,
    memoryLimitInMB,
    awsRequestId: requestId,
    logGroupName: `/aws/lambda/${operation.name}`,
    logStreamName: 'server',
    signal,
    ...(memory && { memory }),
    getRemainingTimeInMillis: () => deadline - Date.now(),
    done: unsupported,
    fail: unsupported,
    succeed: unsupported,
  };
}
