/**
 * What log lines report of a failure: names and codes, found anywhere in its chain of causes. Never a message: one may quote a request,
 * and that of a service is not ours.
 */

import { AwsError, NoAwsAnswer } from '../ports/aws.ts';
import { GatewayError } from './errors.ts';

export type FailureFields = {
  /** The first name that is known: of an error of AWS its code, of ours its kind, of others that of their class. */
  readonly reason: string;
  /** The call of AWS that failed. Without a code and a status there was no answer that could be used. */
  readonly aws_error?: AwsFields;
  /** The system's code, for example `ECONNREFUSED`. */
  readonly cause?: string;
};

interface AwsFields {
  readonly service?: string;
  readonly action?: string;
  readonly code?: string;
  readonly status?: number;
}

/** How many causes of causes are looked at: an error may be its own. */
const maxCauses = 8;

export function failureFields(thrown: unknown): FailureFields {
  const aws = awsFieldsOf(thrown);
  const cause = systemCodeOf(thrown);
  return { reason: nameOf(thrown), ...(aws && { aws_error: aws }), ...(cause && { cause }) };
}

/** The same where an error without a name of its own is one of ours: its message is the reason. */
export function ownFailureFields(thrown: unknown): FailureFields {
  const fields = failureFields(thrown);
  const isOwn = fields.reason === 'Error' && fields.cause === undefined;
  return isOwn ? { ...fields, reason: (thrown as Error).message } : fields;
}

/** The name of a failure, which is safe to log. */
function nameOf(thrown: unknown): string {
  if (thrown instanceof AwsError) return thrown.type;
  if (thrown instanceof GatewayError) return thrown.kind;
  return thrown instanceof Error && isShortName(thrown.name) ? thrown.name : 'unknown';
}

export function awsFieldsOf(thrown: unknown): AwsFields | undefined {
  for (const error of chainOf(thrown)) {
    if (error instanceof AwsError) return { ...error.call, code: error.type, status: error.status };
    if (error instanceof NoAwsAnswer) return error.call;
  }
  return undefined;
}

/** Of a provider; see `upstreamCode` of GatewayError. */
export function upstreamCodeOf(thrown: unknown): string | undefined {
  for (const error of chainOf(thrown))
    if (error instanceof GatewayError && error.upstreamCode) return error.upstreamCode;
  return undefined;
}

/** A bare code holds nothing of the request. */
export function systemCodeOf(thrown: unknown): string | undefined {
  for (const error of chainOf(thrown)) {
    // That of ours may be a provider's.
    const code: unknown = error instanceof GatewayError ? undefined : propertyOf(error, 'code');
    if (typeof code === 'string' && /^[A-Z0-9_]{1,40}$/.test(code)) return code;
  }
  return undefined;
}

function chainOf(thrown: unknown): readonly object[] {
  const chain: object[] = [];
  for (let error = thrown; isObject(error) && chain.length < maxCauses; error = propertyOf(error, 'cause'))
    chain.push(error);
  return chain;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Undefined where an object of others does not let it be read: what is logged must not fail. */
function propertyOf(error: object, name: string): unknown {
  try {
    return Reflect.get(error, name);
  } catch {
    return undefined;
  }
}

/** Characters of a name of an error that is logged. */
const maxErrorName = 100;

const pattern = new RegExp(`^[A-Za-z0-9._-]{1,${maxErrorName}}$`);

/** Whether a value is a plain name: no sentence, and nothing that has to be escaped. */
export const isShortName = (value: unknown): value is string =>
  typeof value === 'string' && pattern.test(value);
