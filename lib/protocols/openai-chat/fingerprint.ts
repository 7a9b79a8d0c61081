/** The fingerprint of the system that answered. */
import { asOptionalText } from '../json.ts';

/** Each chunk of the caller's stream has it: a longer one is none. In characters. */
const maxFingerprint = 256;

export function readFingerprint(value: unknown): string | undefined {
  const text = asOptionalText(value);
  return text !== undefined && text.length <= maxFingerprint ? text : undefined;
}
