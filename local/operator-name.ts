/** Who runs a command: what is done with money is stored with a name. */
import { userInfo } from 'node:os';

/** A process without a user, as in some containers, is `unknown`. */
export function operatorName({ by }: Readonly<Record<string, string | undefined>>): string {
  if (by) return by.slice(0, 128);
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}
