/** A failure of the admin API, or of the way to it. */

interface ApiFailure {
  /** 0: there was no answer. */
  readonly status: number;
  readonly message: string;
  readonly code?: string | undefined;
  /** The field that is wrong. */
  readonly param?: string | undefined;
  readonly requestId?: string | undefined;
  /** How long to wait before the call is made again; absent: the gateway does not say. */
  readonly retryAfterSeconds?: number | undefined;
}

export class ApiError extends Error {
  readonly status: number;
  readonly code: string | undefined;
  readonly param: string | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor({ status, message, code, param, requestId, retryAfterSeconds }: ApiFailure) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.param = param;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** An answer that is no success, as an error. Never rejects. */
export async function errorOf(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => undefined);
  const { error = {} } = (body ?? {}) as {
    readonly error?: Partial<Record<'message' | 'code' | 'param', unknown>>;
  };
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
  return new ApiError({
    status: response.status,
    message: text(error.message) ?? `The gateway answered with status ${response.status}.`,
    code: text(error.code),
    param: text(error.param),
    requestId: text(response.headers.get('x-request-id')),
    retryAfterSeconds: Number(response.headers.get('retry-after')) || undefined,
  });
}

export const noAnswer = (): ApiError =>
  new ApiError({
    status: 0,
    message: 'The gateway does not answer. Is it running, and is this computer online?',
  });

export const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown));
