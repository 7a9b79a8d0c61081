/**
 * Credentials of a role for a web identity, whose token is in a file: roles for service accounts in Kubernetes. The call is not
 * signed, and its answer is XML. Source: STS API reference, AssumeRoleWithWebIdentity.
 */

import { isShortName } from '../../core/errors/failure-fields.ts';
import { AwsError } from '../../core/ports/aws.ts';
import { attemptCall, awsTimeouts } from '../../transport/aws/aws-call.ts';
import { credentialsUrl, isPrintable, readAnswer, readToken } from './bounds.ts';
import type { ExpiringCredentials, FindSource } from './source.ts';

const tokenFile = 'AWS_WEB_IDENTITY_TOKEN_FILE';

export const webIdentitySource: FindSource = ({ variables, endpointOf, send }) => {
  const path = variables[tokenFile];
  const roleArn = variables.AWS_ROLE_ARN;
  if (!path || !roleArn) return undefined;
  const url = credentialsUrl('AWS_ENDPOINT_URL_STS', endpointOf('sts'));
  const session = variables.AWS_ROLE_SESSION_NAME || 'model-gateway';
  return (): Promise<ExpiringCredentials> =>
    attemptCall(named, async () => {
      const body = new URLSearchParams({
        Action: 'AssumeRoleWithWebIdentity',
        Version: '2011-06-15',
        RoleArn: roleArn,
        RoleSessionName: session,
        WebIdentityToken: await readToken(tokenFile, path),
      }).toString();
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const response = await send({ method: 'POST', url, headers, body }, { timeouts: awsTimeouts });
      const answer = await readAnswer(response);
      if (response.status !== 200) throw new AwsError(codeOf(answer), '', response.status, named);
      return readCredentials(answer);
    });
};

const named = { service: 'sts', action: 'AssumeRoleWithWebIdentity' };

function codeOf(answer: string): string {
  const code = only(answer, 'Code');
  return isShortName(code) ? code : 'UnknownError';
}

function readCredentials(answer: string): ExpiringCredentials {
  const parts = answer.split(/<\/?Credentials>/);
  const inner = (parts.length === 3 && parts[1]) || '';
  const accessKeyId = only(inner, 'AccessKeyId');
  const secretAccessKey = only(inner, 'SecretAccessKey');
  const sessionToken = only(inner, 'SessionToken');
  const expiresAt = Date.parse(only(inner, 'Expiration') ?? '');
  if (accessKeyId && secretAccessKey && sessionToken && expiresAt)
    return { credentials: { accessKeyId, secretAccessKey, sessionToken }, expiresAt };
  throw new Error('The answer of STS has no credentials.');
}

/** The text of an element that occurs once, and has neither elements nor entities in it. */
function only(xml: string, name: string): string | undefined {
  const parts = xml.split(`<${name}>`);
  const [text, ...rest] = parts[1]?.split(`</${name}>`) ?? [];
  const isOnce = parts.length === 2 && rest.length === 1;
  return isOnce && isPrintable(text) && !/[<&]/.test(text) ? text : undefined;
}
