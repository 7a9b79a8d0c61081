/**
 * The log of a function: structured lines of a limited length. Powertools decides which levels are written; the line itself is made
 * here. Powertools' own way to one copies the fields four times, for objects that these never are.
 */
import { Console } from 'node:console';
import type { Log } from '../core/ports/log.ts';
import { isoTime } from '../core/time.ts';
import { shortText, withinBounds } from './log-bounds.ts';

const service = 'model-gateway';

type Fields = Readonly<Record<string, unknown>>;
type Level = 'INFO' | 'WARN' | 'ERROR';
type Write = (line: string) => void;

/** Does not fail where nothing reads the output any more, unlike a write to the stream. */
const output = new Console(process.stdout, process.stderr);

/** `RECORD`: of what can be restored from the log. A server replaces them (`log-in-turns.ts`). */
export const writers: Record<Level | 'RECORD', Write> = {
  INFO: (line) => output.info(line),
  WARN: (line) => output.warn(line),
  ERROR: (line) => output.error(line),
  RECORD: (line) => output.info(line),
};

/** The variables that set a level, and the levels that leave out nothing of what is written here. */
const levelVariables = ['AWS_LAMBDA_LOG_LEVEL', 'POWERTOOLS_LOG_LEVEL', 'LOG_LEVEL'];
const wholeLevels: readonly (string | undefined)[] = [undefined, '', 'TRACE', 'DEBUG', 'INFO'];

let isWritten = (_level: Level): boolean => true;

/**
 * Called by the entry of each process before it writes. Powertools takes a fifteenth of the code that a function loads at its start, so
 * it is loaded only where lines may be left out. Not while this module is loaded: a built file would wait for one that waits for it.
 */
export async function readLogLevel(variables: Readonly<Record<string, string | undefined>>): Promise<void> {
  if (levelVariables.every((name) => wholeLevels.includes(variables[name]))) return;
  ({ isWritten } = await import('./log-level.ts'));
}

export function createLog(): Log {
  const at = (level: Level) => (message: string, fields: Fields) => {
    if (isWritten(level)) writers[level](lineOf(level, message, fields));
  };
  return { info: at('INFO'), warn: at('WARN'), error: at('ERROR') };
}

/** Writes a line whatever the level of the log: what can be restored from the log must not depend on it. */
export const writeLine = (message: string, fields: Fields): void =>
  writers.RECORD(lineOf('INFO', message, fields));

function lineOf(level: Level, message: string, fields: Fields): string {
  const head = { level, message: shortText(message), timestamp: isoTime(Date.now()), service };
  return JSON.stringify(withinBounds(head, fields));
}
