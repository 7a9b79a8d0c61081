/**
 * Credentials of the role of an EC2 instance, from its metadata service in version 2. Only an instance is asked, so that no other machine
 * waits for an answer; a container on it needs a hop limit of two. Sources: Amazon EC2 user guide, "Use the Instance Metadata Service" and
 * "Identify EC2 Linux instances"; AWS SDKs and Tools reference guide, "IMDS credential provider".
 */
import { readFileSync } from 'node:fs';
import { AwsError } from '../../core/ports/aws.ts';
import { attemptCall } from '../../transport/aws/aws-call.ts';
import { checkToken, credentialsTimeouts, credentialsUrl, readAnswer, readCredentials } from './bounds.ts';
import type { FindSource, Variables } from './source.ts';

const address = 'http://169.254.169.254';
const endpoint = 'AWS_EC2_METADATA_SERVICE_ENDPOINT';
const roles = 'latest/meta-data/iam/security-credentials/';

/** How long the service takes the token of one reading, in seconds. */
const tokenSeconds = 60;
const roleName = /^[\w+=,.@-]{1,64}$/;

const named = { service: 'instance', action: 'GetCredentials' };

export const instanceSource: FindSource = ({ variables, send }) => {
  const base = baseOf(variables);
  if (base === undefined) return undefined;
  const read = async (method: 'GET' | 'PUT', path: string, headers: Readonly<Record<string, string>>) => {
    const response = await send(
      { method, url: `${base}${path}`, headers },
      { timeouts: credentialsTimeouts },
    );
    const answer = await readAnswer(response);
    if (response.status === 200) return answer.trim();
    throw new AwsError('InstanceCredentialsError', '', response.status, named);
  };
  return () =>
    attemptCall(named, async () => {
      const lifetime = { 'x-aws-ec2-metadata-token-ttl-seconds': `${tokenSeconds}` };
      const token = checkToken('The metadata service', await read('PUT', 'latest/api/token', lifetime));
      const authorized = { 'x-aws-ec2-metadata-token': token };
      const [role = ''] = (await read('GET', roles, authorized)).split('\n');
      if (!roleName.test(role)) throw new Error('The instance has no role.');
      return readCredentials(await read('GET', `${roles}${role}`, authorized));
    });
};

/** With a slash at its end; undefined where there is no instance. */
function baseOf(variables: Variables): string | undefined {
  if (variables.AWS_EC2_METADATA_DISABLED === 'true') return undefined;
  const given = variables[endpoint];
  if (given) return credentialsUrl(endpoint, given).replace(/\/?$/, '/');
  return isInstance() ? `${address}/` : undefined;
}

function isInstance(): boolean {
  try {
    return readFileSync('/sys/devices/virtual/dmi/id/sys_vendor', 'utf8').trim() === 'Amazon EC2';
  } catch {
    return false;
  }
}
