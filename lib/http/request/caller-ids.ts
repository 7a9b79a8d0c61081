/** The ids that a caller gives to their own user and session. */
import type { HttpRequest } from './http-request.ts';

/** Characters of a caller's id of a user or session; the rest is cut off. */
const maxCallerId = 128;

/** Claude Code sends the second with every request. Source: code.claude.com/docs/en/llm-gateway-protocol. */
const sessionHeaders = ['x-gateway-session-id', 'x-claude-code-session-id'] as const;

/** The caller's id of the conversation; undefined if none is given. */
export function sessionOf(request: HttpRequest): string | undefined {
  for (const name of sessionHeaders) {
    const given = request.header(name);
    if (given) return given;
  }
  return undefined;
}

export interface CallerIds {
  readonly user?: string;
  readonly session?: string;
}

/** The caller's ids of their own user and session: text of the caller's that is meant for the log. */
export function callerIds(request: HttpRequest): CallerIds {
  const user = request.header('x-gateway-user-id')?.slice(0, maxCallerId).toWellFormed();
  const session = sessionOf(request)?.slice(0, maxCallerId).toWellFormed();
  return { ...(user && { user }), ...(session && { session }) };
}
