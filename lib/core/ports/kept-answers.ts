/** Answers that are kept for a day under the key that their caller chose, so that a request that is sent again is answered, and billed, once. */

/** JSON bytes of an answer that is kept. */
export const maxKeptBytes = 8 * 1024 * 1024;

/** What names an answer, and what it answers. */
interface AnswerName {
  /** Or whose keys it is beside those of tenants, with a space in the name. */
  readonly tenant: string;
  /** A digest of the operation and the caller's key. */
  readonly name: string;
  /** A digest of the body. */
  readonly body: string;
}

export interface KeptAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Of a request that is the first with its key, or follows one that failed. */
export interface FirstClaim {
  readonly state: 'first';
  /** Whether it is kept: one that is too large is not, and its key is used up. Undefined: one that was too large to hold. */
  keep(answer: KeptAnswer | undefined): Promise<boolean>;
  /** Frees the key, so that a retry is processed as a new request. Changes nothing once the answer is kept. */
  release(): Promise<void>;
}

export interface KeptClaim {
  readonly state: 'kept';
  /** Of the answer's JSON. */
  readonly bytes: number;
  /** Undefined if a part of it is missing or damaged. */
  read(): Promise<KeptAnswer | undefined>;
}

export type Claim =
  | FirstClaim
  | KeptClaim
  /** `reused`: with another body. `used up`: it was answered, and the answer is not kept. */
  | { readonly state: 'running' | 'reused' | 'used up' };

/** `lastsMs`: how long the request may run. One that has not ended by then was lost with its process. */
export type ClaimAnswer = (name: AnswerName, lastsMs: number) => Promise<Claim>;
