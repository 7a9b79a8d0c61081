/**
 * The marks by which a process finds out whether a write took place whose answer was lost. An item keeps the last mark of each of
 * a few slots.
 */
import { createHash } from 'node:crypto';

export interface Slot {
  /** The attribute. */
  readonly name: string;
  readonly mark: string;
}

/** Few, with short names: each write of the item is charged for all of it. */
const slots = 6;

export function slotOf(id: string): Slot {
  const hash = createHash('sha256').update(id).digest();
  return { name: `s${(hash[0] ?? 0) % slots}`, mark: hash.toString('base64url', 1, 7) };
}
