/** The secret of a stack, made by its first deployment and never changed; see `lib/runtime/stack-secret.ts`. */
import { randomBytes } from 'node:crypto';
import { type AwsCall, AwsError } from '../../lib/core/ports/aws.ts';
import { secretName, secretPath } from '../../lib/core/provider-settings.ts';

const secretBytes = 32;

/** Makes it unless there is one. `prefix`: the path of the providers' settings. */
export async function ensureStackSecret(
  call: AwsCall,
  { prefix, kmsKey }: { readonly prefix: string; readonly kmsKey: string | undefined },
): Promise<void> {
  const parameter = {
    Name: `${secretPath(prefix)}/${secretName}`,
    Value: randomBytes(secretBytes).toString('base64'),
    Type: 'SecureString',
    Overwrite: false,
    ...(kmsKey && { KeyId: kmsKey }),
  };
  await call('AmazonSSM.PutParameter', parameter).catch((error) => {
    if (!(error instanceof AwsError && error.type === 'ParameterAlreadyExists')) throw error;
  });
}
