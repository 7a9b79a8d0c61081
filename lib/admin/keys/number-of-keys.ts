/** How many keys people other than operators may make: each list and each change of keys reads all that are stored. */

import type { User } from '../../core/admin/user.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { dayMs } from '../../core/time.ts';
import type { CheckKeys } from '../../stores/access/key-edits.ts';
import { type StoredApiKey, works } from '../../stores/access/keys.ts';

/** Keys that work at the same time. */
export const maxKeysOfTenant = 10_000;
export const maxKeysOfOwner = 100;
/** Keys that are made in 24 hours, whether they still work or not. */
export const maxNewKeysOfTenant = 1_000;
export const maxNewKeysOfOwner = 100;

/** Undefined for operators. Throws GatewayError `conflict`. `owner`: of the new key. */
export function boundedNumber({ role }: User, owner: string | undefined, now: number): CheckKeys | undefined {
  if (role === 'operator') return undefined;
  return (keys) => {
    refuseMore(keys, now, 'The tenant', [maxKeysOfTenant, maxNewKeysOfTenant]);
    if (owner === undefined) return;
    const owned = keys.filter((key) => key.owner === owner);
    refuseMore(owned, now, 'The owner', [maxKeysOfOwner, maxNewKeysOfOwner]);
  };
}

function refuseMore(
  keys: readonly StoredApiKey[],
  now: number,
  who: string,
  [maxWorking, maxNew]: readonly [number, number],
): void {
  if (keys.filter((key) => works(key, now)).length > maxWorking) {
    const rule = `may have at most ${maxWorking} keys that work`;
    const remedy = `Disable one that is no longer used, or rotate one with 'overlap_seconds' 0.`;
    throw new GatewayError('conflict', `${who} ${rule}. ${remedy}`);
  }
  if (keys.filter(({ createdAt }) => createdAt * 1000 > now - dayMs).length > maxNew) {
    const rule = `may make at most ${maxNew} keys in 24 hours`;
    throw new GatewayError('conflict', `${who} ${rule}. Try again later, or ask an operator.`);
  }
}
