/**
 * The part of the Lambda runtime that streaming functions see: `awslambda.streamifyResponse` and the response stream.
 * It must stand before a function is imported, because the function wraps its handler while it loads.
 */
import { Writable } from 'node:stream';

/** What a function says of its answer before the first byte. */
export interface Prelude {
  readonly statusCode: number;
  readonly headers?: Readonly<Record<string, string | number | boolean>>;
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[]>>;
}

/** Where the bytes of one answer go. */
export interface Sink {
  /** Called once, at the first write, also when that one is empty. */
  begin(prelude: Prelude | undefined): void;
  write(chunk: Buffer, done: (error?: Error | null) => void): void;
  end(done: () => void): void;
}

/** The stream a function writes its answer to. */
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

  /** Part of the runtime's interface; the prelude carries the content type of an HTTP answer. */
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

/** Where the real runtime looks whether a handler streams. */
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
