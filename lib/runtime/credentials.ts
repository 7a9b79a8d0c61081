/**
 * The AWS credentials of this process, by one function for every signature. They come from where the SDKs of AWS look first and
 * next, without the files of a laptop: the environment variables of a function, a web identity (Kubernetes with roles for
 * service accounts), or the endpoint of a container (ECS, Kubernetes with pod identity). Source: AWS SDKs and Tools reference
 * guide, "Standardized credential providers".
 */
import { lazy } from '../async/lazy.ts';
import type { AwsCredentials } from '../core/ports/aws.ts';
import type { CredentialsOptions, FindCredentials, Variables } from './credentials/source.ts';

/** How long variables that were read are used: a runtime may replace those of its process, and reading them has a cost. */
const variablesReadMs = 1_000;

export function createCredentials(options: CredentialsOptions): FindCredentials {
  const { variables, now } = options;
  // A function in Lambda has variables, and does not load what the others need.
  const loadRemote = lazy(async () => {
    const { createRemoteCredentials } = await import('./credentials/remote.ts');
    return createRemoteCredentials(options);
  });
  let current: AwsCredentials | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const time = now();
    if (Math.abs(time - readAt) >= variablesReadMs) {
      readAt = time;
      current = unlessEqual(readVariables(variables), current);
    }
    return current ?? (await (await loadRemote())());
  };
}

function readVariables(variables: Variables): AwsCredentials | undefined {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = variables;
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) return undefined;
  return {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
  };
}

/** What signers derive from credentials, they keep for the object. */
function unlessEqual(
  found: AwsCredentials | undefined,
  known: AwsCredentials | undefined,
): AwsCredentials | undefined {
  const isEqual =
    found?.accessKeyId === known?.accessKeyId &&
    found?.secretAccessKey === known?.secretAccessKey &&
    found?.sessionToken === known?.sessionToken;
  return isEqual ? known : found;
}
