/** The log of a function: structured lines, written by Powertools. */
import { Logger } from '@aws-lambda-powertools/logger';
import type { Log } from '../core/ports/log.ts';

export function createLog(): Log {
  const logger = new Logger({ serviceName: 'model-gateway' });
  return {
    info: (message, fields) => logger.info(message, fields),
    warn: (message, fields) => logger.warn(message, fields),
    error: (message, fields) => logger.error(message, fields),
  };
}
