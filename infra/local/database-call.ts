/** Calls to a database on this machine. Apart from its engine, which a command that finds one running need not load. */
import type { AwsCall } from '../../lib/core/ports.ts';
import { createAwsCall } from '../../lib/transport/aws-call.ts';
import { createHttpClient } from '../../lib/transport/http-client/http-client.ts';
import { createSigner } from '../../lib/transport/sign.ts';

/** `close` ends the connections; the database itself goes on. */
export function connectDatabase(endpoint: string): { readonly call: AwsCall; close(): Promise<void> } {
  const { send, close } = createHttpClient();
  const call = createAwsCall({
    send,
    // The database asks for a signature, but not for whose it is.
    sign: createSigner(async () => ({ accessKeyId: 'local', secretAccessKey: 'local' })),
    service: 'dynamodb',
    region: 'local',
    endpoint,
    jsonVersion: '1.0',
  });
  return { call, close };
}
