/** The log of a server: the lines of one turn of the event loop are one write. A function may be frozen after an answer, and writes each. */
import { writers } from './log.ts';

/** How many lines may wait. */
const maxWaiting = 100;

/**
 * From now on, lines of the level INFO wait for the end of their turn, and others are written at once, with all before them. Call what it
 * returns to end that; the end of the process writes what waits, too.
 */
export function writeLogInTurns(): () => void {
  const before = { ...writers };
  let waiting: string[] = [];
  const writeWaiting = () => {
    if (waiting.length === 0) return;
    const lines = waiting.join('\n');
    waiting = [];
    before.INFO(lines);
  };
  writers.INFO = (line) => {
    if (waiting.push(line) === 1) setImmediate(writeWaiting);
    else if (waiting.length === maxWaiting) writeWaiting();
  };
  for (const name of ['WARN', 'ERROR', 'RECORD'] as const) {
    writers[name] = (line) => {
      writeWaiting();
      before[name](line);
    };
  }
  process.once('exit', writeWaiting);
  return () => {
    process.off('exit', writeWaiting);
    writeWaiting();
    Object.assign(writers, before);
  };
}
