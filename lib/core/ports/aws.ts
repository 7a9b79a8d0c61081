/** Calls of AWS services and their signatures. */
import type { ByteRange } from '../files.ts';
import type { HttpRequest } from './http.ts';

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** Signs a request for an AWS service (Signature Version 4). */
export type Sign = (
  request: HttpRequest,
  scope: { readonly service: string; readonly region: string },
) => Promise<HttpRequest>;

/**
 * Calls an action of an AWS service with a JSON protocol (DynamoDB, SSM). `action` is the full target, for example
 * `Service_20240101.Action`. Rejects with AwsError if the service responds with an error.
 *
 * `once`: the action must not be applied twice, so it is retried only after errors that exclude that.
 */
export type AwsCall = (
  action: string,
  input: object,
  options?: { readonly once?: boolean },
) => Promise<Readonly<Record<string, unknown>>>;

/** Services by the first name of their hosts. */
export type AwsService =
  | 'apigateway'
  | 'bedrock'
  | 'bedrock-runtime'
  | 'cloudformation'
  | 'cognito-idp'
  | 'dynamodb'
  | 'events'
  | 'kms'
  | 'lambda'
  | 'logs'
  | 'monitoring'
  | 's3'
  | 'scheduler'
  | 'secretsmanager'
  | 'servicequotas'
  | 'sns'
  | 'ssm'
  | 'streams.dynamodb'
  | 'sts';

/** The address of a service, without a slash at its end; default: in the region of the process. Throws Error if the environment has an invalid one. */
export type FindEndpoint = (service: AwsService, region?: string) => string;

/** Writes an object of a bucket whole, or replaces it. Rejects with AwsError if the service responds with an error. */
export type PutObject = (object: {
  /** Letters, digits and `-_./` only. */
  readonly key: string;
  readonly contentType: string;
  readonly body: string | Uint8Array;
}) => Promise<void>;

/** Objects of a bucket. Its methods reject with AwsError if the service responds with an error. */
export interface Bucket {
  readonly put: PutObject;
  readonly get: (key: string, range?: ByteRange) => AsyncIterable<Uint8Array>;
  /** One that is not there is no error. */
  readonly delete: (key: string) => Promise<void>;
}

/** Throttling errors. The action was not applied. */
const throttling: ReadonlySet<string> = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'Throttling',
  'ThrottlingException',
  'ThrottledException',
  'TooManyRequestsException',
]);

/** Which call it was. */
export interface NamedCall {
  readonly service?: string;
  /** Without the prefix of its protocol, for example `GetItem`. */
  readonly action?: string;
}

/** A call without an answer that can be used; the cause is that of the transport. */
export class NoAwsAnswer extends Error {
  readonly call: NamedCall;

  constructor(call: NamedCall, cause: unknown) {
    super('The service did not answer.', { cause });
    this.name = 'NoAwsAnswer';
    this.call = call;
  }
}

/** An error response of a service; `type` without namespace, for example `ConditionalCheckFailedException`. */
export class AwsError extends Error {
  readonly type: string;
  readonly status: number;
  readonly call: NamedCall;

  constructor(type: string, message: string, status: number, call: NamedCall = {}) {
    super(message);
    this.name = 'AwsError';
    this.type = type;
    this.status = status;
    this.call = call;
  }

  get isThrottling(): boolean {
    return throttling.has(this.type);
  }
}
