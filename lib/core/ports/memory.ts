/** Memory of a process: what one request takes of it. */
import { GatewayError } from '../errors/errors.ts';

/** What is counted is given back when the request has ended. */
export interface RequestMemory {
  /** Whether so many bytes more may be used: a share is left to requests that need little. */
  admit(bytes: number): boolean;
  /**
   * The same for what is kept of an answer until its request has ended. Why it is refused, if it is: another attempt costs as much again
   * where the answer alone is too large.
   */
  admitAnswer(bytes: number): GatewayError | undefined;
  /** The same as `admit` for all that answers may need: what is admitted from then on uses it first. Before a call that costs as much unread. */
  reserve(bytes: number): boolean;
}

/** Kept free of details: what others take is not the caller's to know. */
export const serverBusy = (): GatewayError =>
  new GatewayError(
    'server_busy',
    'The gateway has no memory left for this request while it serves others. Try again in a moment.',
  );
