/** Which changes of the usage table are the aggregator's: those that the filter of its Lambda lets through in AWS. */
import { partitionKey } from '../../core/tables.ts';
import { streamedPrefixes } from './keys.ts';
import type { StreamRecord } from './stream.ts';

/** The removal of what has expired means nothing. */
export const streamedEvents: readonly string[] = ['INSERT', 'MODIFY'];

export function isOfLedger({ eventName, dynamodb }: StreamRecord): boolean {
  const key = dynamodb?.Keys?.[partitionKey]?.S;
  return (
    (eventName === undefined || streamedEvents.includes(eventName)) &&
    typeof key === 'string' &&
    streamedPrefixes.some((prefix) => key.startsWith(prefix))
  );
}
