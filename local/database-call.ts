/** Calls to a local database. Without its engine, which a command does not load if the database runs already. */
import type { AwsCall } from '../lib/core/ports/aws.ts';
import { createAwsCall } from '../lib/transport/aws/aws-call.ts';
import { createHttpClient } from '../lib/transport/http-client/http-client.ts';
import { localDatabase } from '../lib/transport/local-database.ts';

/** `endpoint` holds the access key. `close` ends the connections; the database itself keeps running. */
export function connectDatabase(endpoint: string): { readonly call: AwsCall; close(): Promise<void> } {
  const { sendForText, close } = createHttpClient();
  const call = createAwsCall({
    sendForText,
    service: 'dynamodb',
    region: 'local',
    jsonVersion: '1.0',
    ...localDatabase(endpoint),
  });
  return { call, close };
}

/** Whether something answers there, if only with a refusal: a process that was killed leaves its endpoint behind. */
export async function answers(endpoint: string): Promise<boolean> {
  const { origin } = new URL(endpoint);
  return await fetch(origin, { signal: AbortSignal.timeout(2_000) }).then(
    () => true,
    () => false,
  );
}
