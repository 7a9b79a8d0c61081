/** The key of the playground: made with the first prompt of a session, works for a quarter of an hour, and is in memory only. */
import type { CreatedKeyAnswer } from '../../../lib/admin/keys/schema.ts';
import { refresh } from '../../api/cache.ts';
import { call } from '../../api/call.ts';
import { beforeSignOut, type Session } from '../../api/session.ts';

/** In seconds. */
export const keyLife = 900;

/** A key that ends sooner is replaced: an answer may take a while. */
const spare = 120;

interface Held {
  readonly id: string;
  readonly secret: string;
  readonly tenant: string;
  readonly user: string;
  /** Unix seconds. */
  readonly endsAt: number;
}

/** A user who comes back to the page goes on with it. */
let held: Held | undefined;

/** The secret of a key of a tenant. */
export async function sessionKey({ role, user }: Session, tenant: string): Promise<string> {
  const now = Math.floor(Date.now() / 1_000);
  const isOurs = held?.tenant === tenant && held.user === user.id;
  if (held && isOurs && held.endsAt - now > spare) return held.secret;
  void disable();
  const endsAt = now + keyLife;
  const body = {
    ...(role === 'operator' && { tenant }),
    name: 'Playground',
    expires_at: endsAt,
    operations: ['chat-completions'],
  };
  const { id, key: secret } = await call<CreatedKeyAnswer>('POST', '/keys', { body });
  held = { id, secret, tenant, user: user.id, endsAt };
  beforeSignOut.add(disable);
  refresh('/keys');
  return secret;
}

/** Someone has disabled it: the next prompt gets another one. */
export function forgetKey(): void {
  held = undefined;
}

/** Where that fails, the key ends by itself. */
async function disable(): Promise<void> {
  const { id } = held ?? {};
  held = undefined;
  if (!id) return;
  await call('POST', `/keys/${encodeURIComponent(id)}/disable`, { body: {} }).then(
    () => refresh('/keys'),
    () => {},
  );
}
