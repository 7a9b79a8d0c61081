/** A stream whose text is stored in numbered blocks: what comes within half a second is one block. */
import { Writable } from 'node:stream';

/** How long text is collected. */
const collectMs = 500;

/** Characters that may wait while a block is written. */
const maxWaiting = 1024 * 1024;

/**
 * A block that could not be written is tried again, as long as what waits meanwhile is little; then the stream ends. `append` writes a
 * block, and resolves with the number of the next one.
 */
export function createBlockWriter(append: (n: number, text: string) => Promise<number>): Writable {
  let waiting = '';
  /** Never changed before it is written: a reader may have it although no answer came. */
  let block = '';
  let next = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();
  const writeBlock = async () => {
    if (block !== '') next = await append(next, block);
    block = '';
  };
  const writeAll = async () => {
    await writeBlock();
    [block, waiting] = [waiting, ''];
    await writeBlock();
  };
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(writeAll, writeAll);
    return writing;
  };
  const flushLater = () => {
    if (!log.destroyed) timer ??= setTimeout(() => flush().catch(flushLater), collectMs);
  };
  const log = new Writable({
    decodeStrings: false,
    write(text: string, _encoding, done) {
      waiting += text;
      if (waiting.length > maxWaiting) return void flush().then(() => done(), done);
      flushLater();
      done();
    },
    final(done) {
      // The last block, too, has a second attempt.
      flush()
        .catch(flush)
        .then(() => done(), done);
    },
    destroy(thrown, done) {
      clearTimeout(timer);
      done(thrown);
    },
  });
  return log;
}

/** Of text that no one reads. */
export const nowhere = (): Writable =>
  new Writable({ decodeStrings: false, write: (_text, _encoding, done) => done() });
