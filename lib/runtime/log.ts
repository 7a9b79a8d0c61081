/** The log of a function: structured lines of a limited length, written by Powertools. */
import { Logger } from '@aws-lambda-powertools/logger';
import type { Log } from '../core/ports/log.ts';
import { shortText, withinBounds } from './log-bounds.ts';

export function createLog(): Log {
  const logger = new Logger({ serviceName: 'model-gateway' });
  return {
    info: (message, fields) => logger.info(shortText(message), withinBounds(fields)),
    warn: (message, fields) => logger.warn(shortText(message), withinBounds(fields)),
    error: (message, fields) => logger.error(shortText(message), withinBounds(fields)),
  };
}
