/** What a source of credentials is given, and what it gives. */
import type { AwsCredentials, FindEndpoint } from '../../core/ports/aws.ts';
import type { Send } from '../../core/ports/http.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

export interface CredentialsOptions {
  readonly variables: Variables;
  readonly endpointOf: FindEndpoint;
  readonly send: Send;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** A refresh failed; the credentials before it are used while they are valid. `reason` holds no secret. */
  readonly warn: (reason: string, cause: unknown) => void;
}

/** Resolves with the same object as before until there are others. Rejects with Error if there are none. */
export type FindCredentials = () => Promise<AwsCredentials>;

export interface ExpiringCredentials {
  readonly credentials: AwsCredentials;
  /** Unix milliseconds. */
  readonly expiresAt: number;
}

/** A source of credentials; undefined where its variables are not set. Throws Error if one of them is invalid. */
export type FindSource = (options: CredentialsOptions) => (() => Promise<ExpiringCredentials>) | undefined;
