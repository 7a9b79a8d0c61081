/**
 * Credentials of the endpoint that a container has: of the agent of ECS, or of the agent for pod identity in Kubernetes. Its
 * answer and the names of variables are those of the SDKs. Source: AWS SDKs and Tools reference guide, "Container credential
 * provider".
 */
import { AwsError } from '../../core/ports/aws.ts';
import { attemptCall } from '../../transport/aws/aws-call.ts';
import {
  checkToken,
  credentialsTimeouts,
  credentialsUrl,
  readAnswer,
  readCredentials,
  readToken,
} from './bounds.ts';
import type { ExpiringCredentials, FindSource, Variables } from './source.ts';

const ecsAgent = 'http://169.254.170.2';

const relativeUri = 'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI';
const fullUri = 'AWS_CONTAINER_CREDENTIALS_FULL_URI';
const token = 'AWS_CONTAINER_AUTHORIZATION_TOKEN';
const tokenFile = 'AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE';

export const containerSource: FindSource = ({ variables, send }) => {
  const url = endpointOf(variables);
  if (url === undefined) return undefined;
  return (): Promise<ExpiringCredentials> =>
    attemptCall(named, async () => {
      const authorization = await authorizationOf(variables);
      const headers = { accept: 'application/json', ...(authorization && { authorization }) };
      const response = await send({ method: 'GET', url, headers }, { timeouts: credentialsTimeouts });
      const answer = await readAnswer(response);
      if (response.status !== 200)
        throw new AwsError('ContainerCredentialsError', '', response.status, named);
      return readCredentials(answer);
    });
};

/** The endpoint of ECS or EKS for the credentials of a container. */
const named = { service: 'container', action: 'GetCredentials' };

function endpointOf(variables: Variables): string | undefined {
  const relative = variables[relativeUri];
  if (relative) {
    // What does not begin with a slash would change the host.
    if (!relative.startsWith('/')) throw new Error(`${relativeUri} must begin with a slash.`);
    return credentialsUrl(relativeUri, `${ecsAgent}${relative}`);
  }
  const full = variables[fullUri];
  return full ? credentialsUrl(fullUri, full) : undefined;
}

async function authorizationOf(variables: Variables): Promise<string | undefined> {
  const path = variables[tokenFile];
  if (path) return await readToken(tokenFile, path);
  const given = variables[token];
  return given ? checkToken(token, given) : undefined;
}
