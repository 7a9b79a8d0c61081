/** The internal format of client secrets for realtime sessions: what is asked for, and what a protocol answers. */
import type { Target } from '../catalog/model.ts';
import type { GatewayError } from '../errors/errors.ts';
import type { UpstreamFailure } from './original/protocol.ts';
import type { JsonObject } from './request.ts';

export interface SecretRequest {
  /** In OpenAI's format, with the model that the caller named. */
  readonly session: JsonObject;
  readonly expiresAfter?: JsonObject;
  /** Stands for the end user who gets the secret. */
  readonly safetyId?: string;
}

/** A client with the value can open sessions until it expires. The value is not logged and not stored. */
export interface ClientSecret {
  readonly value: string;
  /** Unix seconds. */
  readonly expiresAt: number;
  /** As the provider has set it up. */
  readonly session: JsonObject;
}

export interface RealtimeProtocol {
  /** Below the provider's base URL, with a leading slash. */
  readonly path: string;
  encode(request: SecretRequest, target: Target): JsonObject;
  headers(request: SecretRequest): Readonly<Record<string, string>>;
  /** Throws GatewayError `upstream_invalid_answer` for anything but a secret. */
  decode(body: unknown): ClientSecret;
  readFailure(failure: UpstreamFailure): GatewayError;
}
