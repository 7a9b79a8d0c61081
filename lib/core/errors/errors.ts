/** The one error type, of the kinds in `error-kinds.ts`, and its public body. */
import { type ErrorKind, errorKinds, type Recovery } from './error-kinds.ts';

/** Codes that are more specific than those of the table. `docs/reference/errors.md` explains each of them. */
export type SpecificCode =
  | 'all_targets_failed'
  | 'batch_not_supported'
  | 'context_length_exceeded'
  | 'cross_site'
  | 'data_policy'
  | 'idempotency_key_reused'
  | 'item_not_found'
  | 'model_ambiguous'
  | 'model_not_allowed'
  | 'model_not_found'
  | 'operation_not_allowed'
  | 'previous_response_not_found'
  | 'price_unknown'
  | 'role_not_allowed'
  | 'session_unseen'
  | 'signed_out'
  | 'storage_limit_exceeded'
  | 'tenant_suspended'
  | 'tokens_per_minute_exceeded'
  | 'unsupported_modality'
  | 'wrong_region';

export interface ErrorDetails {
  /** Path of the field at fault in the caller's body. */
  readonly param?: string | null | undefined;
  /** The field that upstream named, as a path in the internal request; `withCallerPath` sets `param` from it. */
  readonly upstreamParam?: string | undefined;
  /** Replaces the code of the table. */
  readonly code?: SpecificCode | undefined;
  /** The provider's own code, shown in place of ours. */
  readonly providerCode?: string | undefined;
  /** How long the caller (or, for a provider's failure, the gateway) should wait, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** When what is used up starts again, in Unix milliseconds. */
  readonly resetsAt?: number | undefined;
  /** The provider's own advice on retries. It overrides the table. */
  readonly mayRetry?: boolean | undefined;
  /** The HTTP status of the provider's response, for the log. */
  readonly upstreamStatus?: number | undefined;
  /** The provider's own code of a failure that is not the caller's, for the log: a plain name. */
  readonly upstreamCode?: string | undefined;
  /** What an error of Anthropic's API has beside its message. */
  readonly anthropic?: AnthropicDetails | undefined;
  /** Of a prompt that is longer than the model's context. */
  readonly promptTokens?: PromptTokens | undefined;
  readonly cause?: unknown;
}

interface AnthropicDetails {
  /** Of an error that Anthropic itself answered with. */
  readonly type?: string;
  /** A plain name. */
  readonly errorCode?: string | undefined;
  /** The features of the request that are not supported, which its clients then leave out. */
  readonly unsupported?: readonly string[];
}

export interface PromptTokens {
  /** Estimated. */
  readonly used?: number;
  /** The model's limit. */
  readonly maximum?: number;
}

/** The body of every error response. */
interface ErrorBody {
  readonly error: {
    readonly message: string;
    readonly type: string;
    readonly param: string | null;
    readonly code: string | null;
    /** When what is used up starts again, in Unix seconds: under the name that OpenAI's own limits of use have. */
    readonly resets_at?: number;
  };
}

/** Any failure of a known kind. `message` is shown to the caller and contains no secret. */
export class GatewayError extends Error {
  readonly kind: ErrorKind;
  readonly param: string | null;
  readonly upstreamParam: string | undefined;
  readonly code: string | null;
  readonly retryAfterMs: number | undefined;
  readonly resetsAt: number | undefined;
  readonly mayRetry: boolean | undefined;
  readonly upstreamStatus: number | undefined;
  readonly upstreamCode: string | undefined;
  readonly anthropic: AnthropicDetails | undefined;
  readonly promptTokens: PromptTokens | undefined;

  constructor(kind: ErrorKind, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.name = 'GatewayError';
    this.kind = kind;
    this.param = details.param ?? null;
    this.upstreamParam = details.upstreamParam;
    this.code = details.providerCode ?? details.code ?? errorKinds[kind].code;
    this.retryAfterMs = details.retryAfterMs ?? errorKinds[kind].retryAfterMs;
    this.resetsAt = details.resetsAt;
    this.mayRetry = details.mayRetry;
    this.upstreamStatus = details.upstreamStatus;
    this.upstreamCode = details.upstreamCode;
    this.anthropic = details.anthropic;
    this.promptTokens = details.promptTokens;
  }

  get status(): number {
    return errorKinds[this.kind].status;
  }

  get type(): string {
    return errorKinds[this.kind].type;
  }

  get isFinal(): boolean {
    return errorKinds[this.kind].isFinal === true;
  }

  get recovery(): Recovery {
    const { recovery } = errorKinds[this.kind];
    if (recovery === 'none' || this.mayRetry === undefined) return recovery;
    return this.mayRetry ? 'retry' : 'next';
  }

  /** The same error with other details. */
  with({ message = this.message, ...details }: ErrorDetails & { readonly message?: string }): GatewayError {
    const { kind, code, cause, ...known } = this;
    return new GatewayError(kind, message, { ...known, cause, providerCode: code ?? undefined, ...details });
  }

  toBody(): ErrorBody {
    const { message, type, param, code, resetsAt } = this;
    const reset = resetsAt === undefined ? {} : { resets_at: Math.ceil(resetsAt / 1000) };
    return { error: { message, type, param, code, ...reset } };
  }
}

export const internalMessage =
  'The gateway had an error while processing your request. Retry the request, and report its x-request-id if the error persists.';

/** Any thrown value as a GatewayError. An unknown error becomes `internal`, without its message. */
export function asGatewayError(thrown: unknown): GatewayError {
  if (thrown instanceof GatewayError) return thrown;
  return new GatewayError('internal', internalMessage, { cause: thrown });
}
