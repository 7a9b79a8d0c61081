/** Which changes of the usage table are the aggregator's: those that the filter of its Lambda lets through in AWS. */
import { partitionKey } from '../../core/tables.ts';
import { ledgerPrefix } from './keys.ts';
import type { StreamRecord } from './stream.ts';

export function isOfLedger({ dynamodb }: StreamRecord): boolean {
  const key = dynamodb?.Keys?.[partitionKey]?.S;
  return typeof key === 'string' && key.startsWith(ledgerPrefix);
}
