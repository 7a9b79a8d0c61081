/**
 * The part of the Lambda runtime that streaming functions use: `awslambda.streamifyResponse` and the response stream.
 * It must be installed before a function is imported, because the function wraps its handler while it loads.
 */
import type { Prelude, ResponseStream } from './http/response-stream.ts';

/** The property by which the real runtime recognizes a streaming handler. */
const streamingMark = Symbol.for('aws.lambda.runtime.handler.streaming');

export function installLambdaGlobals(): void {
  Reflect.set(globalThis, 'awslambda', {
    streamifyResponse: (handler: object) => Object.assign(handler, { [streamingMark]: 'response' }),
    HttpResponseStream: {
      from(stream: ResponseStream, prelude: Prelude): ResponseStream {
        stream.begin(prelude);
        return stream;
      },
    },
  });
}
