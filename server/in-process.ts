/**
 * Runs the functions in this process, as the Lambda runtime would. In addition, `context.signal` aborts when the client
 * disconnects.
 */
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import type { Operation } from '../lib/core/operations.ts';
import { installLambdaGlobals } from './lambda-globals.ts';
import type { ResponseStream } from './response-stream.ts';
import type { Invocation, Invoke } from './server.ts';

/** The context of a local function. */
export interface LocalContext extends Context {
  /** Aborts when the client disconnects. Lambda itself never sets it. */
  readonly signal: AbortSignal;
}

export type StreamingHandler = (
  event: APIGatewayProxyEvent,
  responseStream: ResponseStream,
  context: LocalContext,
) => Promise<unknown>;

/** Loads the handler of an operation: the `handler` of its entry module. */
export type LoadHandler = (operation: Operation) => Promise<StreamingHandler>;

/** Loads all functions at once, so that one that cannot load fails at the start. */
export async function loadInProcessEngine(
  operations: readonly Operation[],
  load: LoadHandler,
): Promise<Invoke> {
  installLambdaGlobals();
  const loaded = await Promise.all(operations.map(async (one) => [one.name, await load(one)] as const));
  const handlers = new Map<string, StreamingHandler>(loaded);
  return async (invocation) => {
    const handler = handlers.get(invocation.operation.name);
    if (handler === undefined) throw new Error(`No function for ${invocation.operation.name}.`);
    await run(handler, invocation);
  };
}

async function run(handler: StreamingHandler, invocation: Invocation): Promise<void> {
  const { event, response, signal } = invocation;
  // A response that was closed because the client disconnected needs no error handling.
  response.on('error', () => {});
  await handler(event, response, buildContext(invocation));
  if (!response.writableEnded && !signal.aborted) throw new Error('The function did not end its answer.');
}

function buildContext({ operation, requestId, signal }: Invocation): LocalContext {
  const deadline = Date.now() + operation.timeoutSeconds * 1_000;
  const unsupported = () => {
    throw new Error('Callbacks are not supported.');
  };
  return {
    callbackWaitsForEmptyEventLoop: false,
    functionName: operation.name,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:local:000000000000:function:${operation.name}`,
    memoryLimitInMB: '512',
    awsRequestId: requestId,
    logGroupName: `/aws/lambda/${operation.name}`,
    logStreamName: 'local',
    signal,
    getRemainingTimeInMillis: () => deadline - Date.now(),
    done: unsupported,
    fail: unsupported,
    succeed: unsupported,
  };
}
