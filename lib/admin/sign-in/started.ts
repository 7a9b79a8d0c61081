/** A sign-in that has begun, in the cookie in which the browser keeps it until it comes back from the issuer. */
import * as z from 'zod/mini';
import { parseJson } from '../../core/formats/parse-json.ts';
import { returnPathOf } from './return-path.ts';

export interface StartedSignIn {
  readonly state: string;
  readonly nonce: string;
  /** The secret of PKCE (RFC 7636). */
  readonly verifier: string;
  /** Where the user goes then. */
  readonly returnPath: string;
  /** Unix seconds. */
  readonly endsAt: number;
}

const started = z.strictObject({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  returnPath: z.string(),
  endsAt: z.number(),
});

/** How long the issuer may keep a user, in seconds. */
export const signInSeconds = 600;

export const writeStarted = (value: StartedSignIn): string =>
  Buffer.from(JSON.stringify(value)).toString('base64url');

/** Undefined for a text that is none, or one that took too long. `now`: milliseconds. */
export function readStarted(text: string | undefined, now: number): StartedSignIn | undefined {
  if (text === undefined) return undefined;
  const { success, data } = started.safeParse(parseJson(Buffer.from(text, 'base64url').toString()));
  const leftMs = success ? data.endsAt * 1000 - now : 0;
  if (!success || leftMs <= 0 || leftMs > signInSeconds * 1000) return undefined;
  // Without TLS, other programs of this machine may have set the cookie.
  return { ...data, returnPath: returnPathOf(data.returnPath) };
}
