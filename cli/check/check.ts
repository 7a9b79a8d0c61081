/** What a check of an account or a deployed gateway is: a row with a title, the permissions that it needs, and its work. */
import type { AwsClients } from '../../infra/aws/clients.ts';
import { findStack, listResources, type StackFacts, type StackResource } from '../../infra/aws/stacks.ts';
import { lazy } from '../../lib/async/lazy.ts';
import { GatewayError } from '../../lib/core/errors/errors.ts';
import { AwsError } from '../../lib/core/ports/aws.ts';
import type { Installation } from '../command.ts';

const levels = ['ok', 'warning', 'failed'] as const;
export type Level = (typeof levels)[number];

/** One line of the result. */
export interface Finding {
  readonly level: Level;
  /** What was found; the title of the check goes before it. */
  readonly text: string;
  /** What to do about it. */
  readonly remedy?: string;
}

export const ok = (text: string): Finding => ({ level: 'ok', text });
export const warning = (text: string, remedy: string): Finding => ({ level: 'warning', text, remedy });
export const failed = (text: string, remedy: string): Finding => ({ level: 'failed', text, remedy });

/** A check that cannot be made, and why. It is a warning, with what to do. */
export class NotChecked extends Error {
  readonly remedy: string;

  constructor(message: string, remedy: string) {
    super(message);
    this.remedy = remedy;
  }
}

/** The traffic that is planned. */
export interface Planned {
  /** Requests per second. */
  readonly rps: number;
  /** Seconds from a request to the end of its answer. */
  readonly seconds: number;
}

export interface Identity {
  readonly account: string;
  readonly arn: string;
}

/** A deployed gateway. What it reads, it reads once. */
export interface DeployedGateway {
  readonly name: string;
  /** Undefined if there is no such stack. */
  readonly facts: (stack?: string) => Promise<StackFacts | undefined>;
  readonly resources: () => Promise<readonly StackResource[]>;
  readonly installation: () => Promise<Installation>;
}

export interface CheckContext {
  readonly aws: AwsClients;
  readonly identity: Identity;
  readonly planned: Planned | undefined;
  /** A key of the gateway, with which providers are called; without it, none is. */
  readonly gatewayKey: string | undefined;
}

export interface StackContext extends CheckContext {
  readonly gateway: DeployedGateway;
}

interface CheckRow<Context> {
  /** As in the output with --json. */
  readonly id: string;
  readonly title: string;
  /** The actions that it needs permission for. */
  readonly needs: readonly string[];
  readonly run: (context: Context) => Promise<Finding | readonly Finding[]>;
}

/** Of an account and region: it can be made before a deployment. */
export type AccountCheck = CheckRow<CheckContext>;

/** Of a deployed gateway. */
export type StackCheck = CheckRow<StackContext>;

export type Check = AccountCheck | StackCheck;

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

interface OpenedGateway extends DeployedGateway {
  close(): Promise<void>;
}

export function createDeployedGateway(
  aws: AwsClients,
  name: string,
  open: () => Promise<Installation>,
): OpenedGateway {
  const installation = lazy(() => open().catch(notOpened));
  let isOpen = false;
  const known = new Map<string, Promise<StackFacts | undefined>>();
  return {
    name,
    facts: (stack = name) => {
      const found = known.get(stack) ?? findStack(aws, stack);
      known.set(stack, found);
      return found;
    },
    resources: lazy(() => listResources(aws, name)),
    installation: async () => {
      isOpen = true;
      return await installation();
    },
    close: async () => {
      // One that could not be opened has nothing to close; the check has reported why.
      const opened = isOpen ? await installation().catch(() => undefined) : undefined;
      await opened?.close();
    },
  };
}

/** An error of AWS has its own line; any other is about what the stack lacks. */
function notOpened(error: unknown): never {
  if (error instanceof AwsError || error instanceof GatewayError || !(error instanceof Error)) throw error;
  throw new NotChecked(`not checked: ${error.message}`, 'See "Stack" and "Outputs".');
}

/** An output that commands need. */
export async function outputOf(gateway: DeployedGateway, output: string): Promise<string> {
  const value = (await gateway.facts())?.outputs.get(output);
  if (value !== undefined) return value;
  throw new NotChecked(`not checked: the stack has no output ${output}.`, 'See "Stack" and "Outputs".');
}
