/**
 * The log of a function: structured lines of a limited length. Powertools decides which levels are written, and what every line
 * has; the line itself is made here. Powertools' own way to one copies the fields four times, for objects that these never are.
 */
import { Console } from 'node:console';
import { LogFormatter, Logger, LogItem } from '@aws-lambda-powertools/logger';
import type { UnformattedAttributes } from '@aws-lambda-powertools/logger/types';
import type { Log } from '../core/ports/log.ts';
import { shortText, withinBounds } from './log-bounds.ts';

const service = 'model-gateway';

export function createLog(): Log {
  const logger = new LineLogger({ serviceName: service, logFormatter: new LineFormatter() });
  return {
    info: (message, fields) => logger.info(shortText(message), { fields: withinBounds(fields) }),
    warn: (message, fields) => logger.warn(shortText(message), { fields: withinBounds(fields) }),
    error: (message, fields) => logger.error(shortText(message), { fields: withinBounds(fields) }),
  };
}

type Fields = Record<string, unknown>;

/** What every line has, then its own fields, of which none may replace those. Empty ones are left out. */
class LineFormatter extends LogFormatter {
  override formatAttributes(every: UnformattedAttributes, { fields = {} }: { readonly fields?: Fields }) {
    const attributes: Fields = {
      level: every.logLevel,
      message: every.message,
      timestamp: this.formatTimestamp(every.timestamp),
      service: every.serviceName,
      sampling_rate: every.sampleRateValue,
      xray_trace_id: every.xRayTraceId,
    };
    for (const name of Object.keys(fields)) {
      const value = fields[name];
      if (value !== null && value !== '' && !(name in attributes)) attributes[name] = value;
    }
    return new LogItem({ attributes });
  }
}

/** Does not fail where nothing reads the output any more, unlike a write to the stream. */
const output = new Console(process.stdout, process.stderr);

/** Writes a line whatever the level of the log: what can be restored from the log must not depend on it. */
export function writeLine(message: string, fields: Fields): void {
  const timestamp = new Date().toISOString();
  output.info(JSON.stringify({ level: 'INFO', message, timestamp, service, ...withinBounds(fields) }));
}

class LineLogger extends Logger {
  protected override printLog(_level: number, item: LogItem): void {
    const line = item.getAttributes();
    const text = JSON.stringify(line);
    if (line.level === 'ERROR') output.error(text);
    else if (line.level === 'WARN') output.warn(text);
    else output.info(text);
  }
}
