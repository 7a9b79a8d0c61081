/**
 * The secrets that a Web Function accepts from the API before it, read once: a secret of this name never changes, and another name
 * comes with another revision of the function.
 */
import { AwsError } from '../../core/ports/aws.ts';
import { awaitPermission } from '../../transport/await-permission.ts';
import { createAwsCall } from '../../transport/aws/aws-call.ts';
import type { Foundation } from '../foundation.ts';

/** The current one, and the one before it. */
const maxOriginSecrets = 2;
/** Characters; the stack makes them longer. */
const minOriginSecret = 32;

/** For permissions to arrive: an environment has ten seconds to start. Source: Lambda quotas, "Web Functions". */
const originPermissionMs = 7_000;

const names = 'GATEWAY_ORIGIN_SECRETS';

/** Rejects with an Error that names the variable, or says why the current one cannot be read. */
export async function readOriginSecrets(foundation: Foundation): Promise<readonly string[]> {
  const { variables, environment, sendForText, sign, endpointOf } = foundation;
  const [current, ...previous] = (variables[names] ?? '').split(',').flatMap((name) => name.trim() || []);
  if (current === undefined || previous.length >= maxOriginSecrets)
    throw new Error(`${names} must list one or two secrets of Secrets Manager, separated by commas.`);
  const service = 'secretsmanager';
  const endpoint = endpointOf(service);
  const region = environment.AWS_REGION;
  const call = awaitPermission(
    createAwsCall({ sendForText, sign, region, service, endpoint, jsonVersion: '1.1' }),
    { forMs: originPermissionMs, service: 'Secrets Manager' },
  );
  const read = async (SecretId: string) => {
    const { SecretString } = await call('secretsmanager.GetSecretValue', { SecretId });
    if (typeof SecretString === 'string' && SecretString.length >= minOriginSecret) return SecretString;
    throw new Error(`A secret in ${names} must have at least ${minOriginSecret} characters.`);
  };
  const found = [read(current), ...previous.map((name) => read(name).catch(unlessDeleted))];
  return (await Promise.all(found)).filter((secret) => secret !== undefined);
}

/** The one before may be gone: no API sends it any more. */
function unlessDeleted(thrown: unknown): undefined {
  if (thrown instanceof AwsError && gone.includes(thrown.type)) return undefined;
  throw thrown;
}

/** Not there, or about to be deleted. Source: Secrets Manager API reference, GetSecretValue. */
const gone: readonly string[] = ['ResourceNotFoundException', 'InvalidRequestException'];
