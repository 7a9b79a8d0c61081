/**
 * `encrypted_content` of a reasoning item: the house's details of the reasoning, sealed into one text, so that what every
 * provider signed comes back byte for byte and still tells whose it is. Sealed means kept whole, not kept secret.
 */
import type { ReasoningDetail } from '../../core/generation.ts';

export function seal(_details: readonly ReasoningDetail[]): string {
  throw new Error('Not written yet.');
}

/** Undefined for a text that `seal` did not make. */
export function unseal(_text: string): readonly ReasoningDetail[] | undefined {
  throw new Error('Not written yet.');
}
