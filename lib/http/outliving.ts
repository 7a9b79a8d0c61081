/** The body of a request that goes on when its caller has left. */
import { Writable } from 'node:stream';
import type { StreamedBody } from './streamed-body.ts';

/** Reads the body to its end, and sends what someone reads. `onText`: gets all of it. */
export const outliving = (body: StreamedBody, onText: (text: string) => void = () => {}): StreamedBody => ({
  sendTo: (response) => body.sendTo(new PassingOn(response, onText)),
});

/** Passes on what is written as long as someone reads it. */
class PassingOn extends Writable {
  readonly #response: Writable;
  readonly #onText: (text: string) => void;

  constructor(response: Writable, onText: (text: string) => void) {
    super({ decodeStrings: false });
    this.#response = response;
    this.#onText = onText;
    response.on('error', () => {});
  }

  override _write(chunk: string | Buffer, encoding: BufferEncoding, done: () => void): void {
    this.#onText(typeof chunk === 'string' ? chunk : chunk.toString());
    const response = this.#response;
    if (response.destroyed || response.write(chunk, encoding)) {
      done();
      return;
    }
    const goOn = () => {
      response.off('drain', goOn).off('close', goOn);
      done();
    };
    response.on('drain', goOn).on('close', goOn);
  }
}
