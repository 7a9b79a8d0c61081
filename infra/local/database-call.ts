/** Calls to a local database. Without its engine, which a command does not load if the database runs already. */
import type { AwsCall } from '../../lib/core/ports/aws.ts';
import { createAwsCall, localTimeouts } from '../../lib/transport/aws-call.ts';
import { createHttpClient } from '../../lib/transport/http-client/http-client.ts';
import { createSigner } from '../../lib/transport/sign.ts';

/** `close` ends the connections; the database itself keeps running. */
export function connectDatabase(endpoint: string): { readonly call: AwsCall; close(): Promise<void> } {
  const { send, close } = createHttpClient();
  const call = createAwsCall({
    send,
    // The database requires a signature, but does not check it.
    sign: createSigner(async () => ({ accessKeyId: 'local', secretAccessKey: 'local' })),
    service: 'dynamodb',
    region: 'local',
    endpoint,
    jsonVersion: '1.0',
    timeouts: localTimeouts,
  });
  return { call, close };
}
