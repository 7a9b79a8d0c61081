/** What an operator can do about an error of AWS. A denial is a warning that names the permission. */
import { GatewayError } from '../../lib/core/errors/errors.ts';
import { AwsError } from '../../lib/core/ports/aws.ts';
import { type Check, type Finding, failed, NotChecked, warning } from './check.ts';

/** The names that services have for a denial. Sources: docs.aws.amazon.com, CommonErrors; SNS, API_ListSubscriptionsByTopic. */
const denials = new Set([
  'AccessDenied',
  'AccessDeniedException',
  'AuthorizationError',
  'UnauthorizedOperation',
]);

/** Those for credentials that are not accepted. */
const refusals = new Set([
  'ExpiredToken',
  'ExpiredTokenException',
  'InvalidClientTokenId',
  'UnrecognizedClientException',
  'InvalidSignatureException',
  'SignatureDoesNotMatch',
  'MissingAuthenticationToken',
  'MissingAuthenticationTokenException',
  'RequestExpired',
]);

export const isDenied = (error: unknown): error is AwsError =>
  error instanceof AwsError && denials.has(error.type);

export const isMissing = (error: unknown, ...types: readonly string[]): boolean =>
  error instanceof AwsError && types.includes(error.type);

const credentialsAreRefused = (error: unknown): error is AwsError =>
  error instanceof AwsError && refusals.has(error.type);

/** The finding for an error that a check ended with. */
export function findingOf(error: unknown, { needs }: Pick<Check, 'needs'>): Finding {
  if (error instanceof NotChecked) return warning(error.message, error.remedy);
  if (isDenied(error)) {
    const action = deniedAction(error) ?? needs.join(', ');
    return warning('not checked: your permissions do not allow it.', `Allow ${action}.`);
  }
  if (credentialsAreRefused(error)) {
    return failed(
      `AWS does not accept the credentials (${error.type}).`,
      'Sign in again, and check the time of this machine.',
    );
  }
  if (error instanceof AwsError && error.isThrottling)
    return warning('not checked: AWS throttles this call.', 'Wait a minute, and check again.');
  if (error instanceof AwsError)
    return warning(`not checked: AWS answered ${error.type} (status ${error.status}).`, 'Check again later.');
  const code = systemCodeOf(error);
  if (error instanceof GatewayError)
    return failed(
      `AWS cannot be reached${code ? ` (${code})` : ''}.`,
      'Check the network, a proxy, and AWS_ENDPOINT_URL if it is set.',
    );
  throw error;
}

/** `is not authorized to perform: <action> on resource: …`. Source: docs.aws.amazon.com IAM, troubleshoot_access-denied. */
const deniedAction = ({ message }: AwsError): string | undefined =>
  /perform: ([a-z0-9-]+:\w+)/.exec(message)?.[1];

/** The system's code of a network failure, wherever it is in the chain of causes. */
export function systemCodeOf(error: unknown): string | undefined {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 8; cause = cause.cause, depth += 1) {
    const { code } = cause as { readonly code?: unknown };
    if (typeof code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(code)) return code;
  }
  return undefined;
}
