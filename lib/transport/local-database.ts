/**
 * How calls reach a database on this machine. Its endpoint holds the access key of this start, `http://<access key>@127.0.0.1:<port>`,
 * so that whoever gets the endpoint gets both. Credentials of AWS are for AWS, and are not sent there.
 */
import { type AwsCallOptions, localTimeouts } from './aws/aws-call.ts';
import { createSigner } from './aws/sign-action.ts';

/** The options of calls that depend on the endpoint. */
export function localDatabase(address: string): Pick<AwsCallOptions, 'endpoint' | 'sign' | 'timeouts'> {
  const url = new URL(address);
  // A database of tests may have no access key. None checks the signature.
  const credentials = { accessKeyId: url.username || 'local', secretAccessKey: 'local' };
  url.username = '';
  return { endpoint: url.href, sign: createSigner(async () => credentials), timeouts: localTimeouts };
}
