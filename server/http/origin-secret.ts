/**
 * The secret that API Gateway adds to each request for a Web Function, whose address is public. What comes without it is refused
 * before anything else is done with it.
 */
import { hash, timingSafeEqual } from 'node:crypto';

export const originHeader = 'x-origin-secret';

/** Whether the value of the header is one of the secrets: during a rotation, there are two. */
export type IsFromOrigin = (value: string | readonly string[] | undefined) => boolean;

/** Compares hashes, which have one length, and always all of them: the time depends on no secret. */
export function createIsFromOrigin(secrets: readonly string[]): IsFromOrigin {
  const accepted = secrets.map(digest);
  return (value) => {
    if (typeof value !== 'string') return false;
    const given = digest(value);
    return accepted.filter((known) => timingSafeEqual(known, given)).length > 0;
  };
}

const digest = (text: string): Buffer => hash('sha256', text, 'buffer');
