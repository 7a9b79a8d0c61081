/**
 * The first engine: runs the functions inside this process, as the Lambda runtime would, with one thing more than
 * Lambda has: `context.signal` tells a function that its client has left.
 */
import type { ServerResponse } from 'node:http';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import type { Operation } from '../../../lib/core/operations.ts';
import { installLambdaGlobals, type Prelude, ResponseStream, type Sink } from './lambda-globals.ts';
import type { Invocation, Invoke } from './server.ts';

/** What a local function finds in its context. */
export interface LocalContext extends Context {
  /** Aborts when the client is gone. Lambda itself never sets it. */
  readonly signal: AbortSignal;
}

export type StreamingHandler = (
  event: APIGatewayProxyEvent,
  responseStream: ResponseStream,
  context: LocalContext,
) => Promise<unknown>;

/** Loads the handler of an operation: the `handler` of its entry module. */
export type LoadHandler = (operation: Operation) => Promise<StreamingHandler>;

/** Loads all functions at once, so that what cannot start fails at the start. */
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
  const stream = new ResponseStream(sinkTo(invocation.response));
  const leave = () => void stream.destroy();
  // A stream destroyed by a leaving client has nobody to tell.
  stream.on('error', () => {});
  invocation.signal.addEventListener('abort', leave, { once: true });
  try {
    await handler(invocation.event, stream, buildContext(invocation));
    if (!stream.writableEnded && !invocation.signal.aborted) throw new Error('The answer was never ended.');
  } finally {
    invocation.signal.removeEventListener('abort', leave);
  }
}

function sinkTo(response: ServerResponse): Sink {
  return {
    begin: (prelude) => writeHead(response, prelude),
    write: (chunk, done) => void (response.write(chunk) ? done() : response.once('drain', done)),
    end: (done) => void response.end(done),
  };
}

function writeHead(response: ServerResponse, prelude: Prelude | undefined): void {
  if (prelude === undefined) throw new Error('The function answered without a status.');
  for (const [name, value] of Object.entries(prelude.headers ?? {})) response.setHeader(name, String(value));
  for (const [name, values] of Object.entries(prelude.multiValueHeaders ?? {}))
    response.setHeader(name, values);
  response.writeHead(prelude.statusCode);
  // Status and headers leave before the first token, together with what is there in the same turn.
  const { socket } = response;
  socket?.cork();
  response.flushHeaders();
  setImmediate(() => socket?.uncork());
}

function buildContext({ operation, requestId, signal }: Invocation): LocalContext {
  const deadline = Date.now() + operation.timeoutSeconds * 1_000;
  const unsupported = () => {
    throw new Error('Callbacks are not part of this runtime.');
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
