/** Which lines are written where a level is set: Powertools' logger decides, by its own variables and those of Lambda. */
import { Logger, LogLevelThreshold } from '@aws-lambda-powertools/logger';

const { level: least } = new Logger({ serviceName: 'model-gateway' });

export const isWritten = (level: 'INFO' | 'WARN' | 'ERROR'): boolean => least <= LogLevelThreshold[level];
