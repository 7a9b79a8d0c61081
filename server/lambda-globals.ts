/**
 * The part of the Lambda runtime that streaming functions use: `awslambda.streamifyResponse` and the response stream.
 * It must be installed before a function is imported, because the function wraps its handler while it loads.
 */
import { Writable } from 'node:stream';

/** Status and headers of an answer. */
export interface Prelude {
  readonly statusCode: number;
  readonly headers?: Readonly<Record<string, string | number | boolean>>;
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[]>>;
}

/** Receives the bytes of one answer. */
export interface Sink {
  /** Called once, at the first write, even if that is empty. */
  begin(prelude: Prelude | undefined): void;
  write(chunk: Buffer, done: (error?: Error | null) => void): void;
  end(done: () => void): void;
}

/** The stream to which a function writes its answer. */
export class ResponseStream extends Writable {
  readonly #sink: Sink;
  #prelude: Prelude | undefined;
  #begun = false;

  constructor(sink: Sink) {
    super();
    this.#sink = sink;
  }

  setPrelude(prelude: Prelude): void {
    if (this.#begun) throw new Error('The answer has already begun.');
    this.#prelude = prelude;
  }

  /** Part of the runtime's interface. The content type of an HTTP answer is in the prelude. */
  setContentType(_contentType: string): void {}

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.#begin();
    if (chunk.length === 0) done();
    else this.#sink.write(chunk, done);
  }

  override _final(done: () => void): void {
    this.#begin();
    this.#sink.end(done);
  }

  #begin(): void {
    if (this.#begun) return;
    this.#begun = true;
    this.#sink.begin(this.#prelude);
  }
}

/** The property by which the real runtime recognizes a streaming handler. */
const streamingMark = Symbol.for('aws.lambda.runtime.handler.streaming');

export function installLambdaGlobals(): void {
  Reflect.set(globalThis, 'awslambda', {
    streamifyResponse: (handler: object) => Object.assign(handler, { [streamingMark]: 'response' }),
    HttpResponseStream: {
      from(stream: ResponseStream, prelude: Prelude): ResponseStream {
        stream.setPrelude(prelude);
        return stream;
      },
    },
  });
}
