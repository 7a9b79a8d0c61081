import { randomUUID } from 'node:crypto';

/** An id as the protocols write them: a prefix and letters and digits. */
export function newId(prefix: string): string {
  return `${prefix}${randomUUID().replaceAll('-', '').slice(0, 24)}`;
}
