/**
 * Runs the functions in this process, as the Lambda runtime would. In addition, `context.signal` aborts when the client
 * disconnects.
 */
import type { ServerResponse } from 'node:http';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import type { Operation } from '../lib/core/operations.ts';
import { installLambdaGlobals, type Prelude, ResponseStream, type Sink } from './lambda-globals.ts';
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
  const stream = new ResponseStream(sinkTo(invocation.response));
  const onDisconnect = () => void stream.destroy();
  // A stream that was destroyed because the client disconnected needs no error handling.
  stream.on('error', () => {});
  invocation.signal.addEventListener('abort', onDisconnect, { once: true });
  try {
    await handler(invocation.event, stream, buildContext(invocation));
    if (!stream.writableEnded && !invocation.signal.aborted)
      throw new Error('The function did not end its answer.');
  } finally {
    invocation.signal.removeEventListener('abort', onDisconnect);
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
  // Sends status and headers before the first token, together with what is written in the same turn.
  const { socket } = response;
  socket?.cork();
  response.flushHeaders();
  setImmediate(() => socket?.uncork());
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
