/**
 * The log of a function: structured lines of a limited length. Powertools decides which levels are written; the line itself is made
 * here. Powertools' own way to one copies the fields four times, for objects that these never are.
 */
import { Console } from 'node:console';
import { Logger, LogLevelThreshold } from '@aws-lambda-powertools/logger';
import type { Log } from '../core/ports/log.ts';
import { shortText, withinBounds } from './log-bounds.ts';

const service = 'model-gateway';

type Fields = Readonly<Record<string, unknown>>;
type Level = 'INFO' | 'WARN' | 'ERROR';

/** Does not fail where nothing reads the output any more, unlike a write to the stream. */
const output = new Console(process.stdout, process.stderr);

const writers: Readonly<Record<Level, (line: string) => void>> = {
  INFO: (line) => output.info(line),
  WARN: (line) => output.warn(line),
  ERROR: (line) => output.error(line),
};

export function createLog(): Log {
  const { level: least } = new Logger({ serviceName: service });
  const at = (level: Level) => (message: string, fields: Fields) => {
    if (least > LogLevelThreshold[level]) return;
    if (level === 'INFO') writeInTurn(message, fields);
    else write(level, message, fields);
  };
  return { info: at('INFO'), warn: at('WARN'), error: at('ERROR') };
}

/** Writes a line whatever the level of the log: what can be restored from the log must not depend on it. */
export const writeLine = (message: string, fields: Fields): void => write('INFO', message, fields);

/** Lines of the level INFO that are still to be written in this turn. Undefined: each is written at once. */
let waiting: string[] | undefined;

/** How many may wait. */
const maxWaiting = 100;

/**
 * From now on, the lines of one turn of the event loop are written together, those of other levels at once with all before them. For a
 * process that is not frozen after an answer. Call what it returns to end that; the end of the process writes what waits, too.
 */
export function writeLogInTurns(): () => void {
  waiting = [];
  process.once('exit', writeWaiting);
  return () => {
    process.off('exit', writeWaiting);
    writeWaiting();
    waiting = undefined;
  };
}

function writeWaiting(): void {
  if (!waiting || waiting.length === 0) return;
  const lines = waiting.join('\n');
  waiting = [];
  writers.INFO(lines);
}

function write(level: Level, message: string, fields: Fields): void {
  const line = lineOf(level, message, fields);
  writeWaiting();
  writers[level](line);
}

function writeInTurn(message: string, fields: Fields): void {
  if (!waiting) write('INFO', message, fields);
  else if (waiting.push(lineOf('INFO', message, fields)) === 1) setImmediate(writeWaiting);
  else if (waiting.length === maxWaiting) writeWaiting();
}

function lineOf(level: Level, message: string, fields: Fields): string {
  const head = { level, message: shortText(message), timestamp: new Date().toISOString(), service };
  return JSON.stringify(withinBounds(head, fields));
}
