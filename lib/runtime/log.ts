/** The log of a function: structured lines of a limited length, down to the level that `LOG_LEVEL` names. */
import { Console } from 'node:console';
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

/** What is written at each level. Nothing has the level DEBUG. */
const written: Readonly<Record<string, readonly Level[]>> = {
  DEBUG: ['INFO', 'WARN', 'ERROR'],
  INFO: ['INFO', 'WARN', 'ERROR'],
  WARN: ['WARN', 'ERROR'],
  ERROR: ['ERROR'],
};

/** `level` is that of `LOG_LEVEL`: `INFO` if it is none of those. */
export function createLog(level?: string): Log {
  const levels = written[level?.toUpperCase() ?? ''] ?? written.INFO;
  const at = (level: Level) => (message: string, fields: Fields) => {
    if (levels?.includes(level)) write(level, message, fields);
  };
  return { info: at('INFO'), warn: at('WARN'), error: at('ERROR') };
}

/** Writes a line whatever the level of the log: what can be restored from the log must not depend on it. */
export const writeLine = (message: string, fields: Fields): void => write('INFO', message, fields);

function write(level: Level, message: string, fields: Fields): void {
  const head = { level, message: shortText(message), timestamp: new Date().toISOString(), service };
  writers[level](JSON.stringify(withinBounds(head, fields)));
}
