/** The log of a background response as what its stream is written to: what comes within half a second is one block. */
import { Writable } from 'node:stream';
import type { BackgroundStore, Run } from '../../../core/background.ts';

/** How long text is collected. */
const collectMs = 500;

/** Characters that may wait while a block is written. */
const maxWaiting = 1024 * 1024;

/** A log that cannot be written ends the stream. */
export function createEventLog(store: Pick<BackgroundStore, 'append'>, run: Run): Writable {
  let waiting = '';
  let next = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(async () => {
      const text = waiting;
      waiting = '';
      if (text !== '') next = await store.append(run, next, text);
    });
    return writing;
  };
  const log = new Writable({
    decodeStrings: false,
    write(text: string, _encoding, done) {
      waiting += text;
      if (waiting.length > maxWaiting) return void flush().then(() => done(), done);
      timer ??= setTimeout(() => flush().catch((thrown) => log.destroy(thrown)), collectMs);
      done();
    },
    final(done) {
      flush().then(() => done(), done);
    },
    destroy(thrown, done) {
      clearTimeout(timer);
      done(thrown);
    },
  });
  return log;
}

/** Of a response whose events are not kept. */
export const nowhere = (): Writable =>
  new Writable({ decodeStrings: false, write: (_text, _encoding, done) => done() });
