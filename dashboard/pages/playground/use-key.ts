/** The key of the playground: made with the first prompt, works for a quarter of an hour, and is in memory only. */
import { useEffect, useRef } from 'preact/hooks';
import type { CreatedKeyAnswer } from '../../../lib/admin/keys/schema.ts';
import { refresh } from '../../api/cache.ts';
import { call } from '../../api/call.ts';

/** In seconds. */
export const keyLife = 900;

/** A key that ends sooner is replaced: an answer may take a while. */
const spare = 120;

interface Held {
  readonly id: string;
  readonly secret: string;
  readonly tenant: string;
  /** Unix seconds. */
  readonly endsAt: number;
}

/** Gives a secret for a tenant. When the page is left, the key is disabled. */
export function useKey(): (tenant: string, isOperator: boolean) => Promise<string> {
  const held = useRef<Held | undefined>(undefined);
  const leave = () => {
    const { id } = held.current ?? {};
    held.current = undefined;
    if (!id) return;
    call('POST', `/keys/${encodeURIComponent(id)}/disable`, { body: {} }).then(
      () => refresh('/keys'),
      // It ends by itself.
      () => {},
    );
  };
  useEffect(() => leave, []);
  return async (tenant, isOperator) => {
    const now = Math.floor(Date.now() / 1_000);
    if (held.current?.tenant === tenant && held.current.endsAt - now > spare) return held.current.secret;
    leave();
    const endsAt = now + keyLife;
    const body = {
      ...(isOperator && { tenant }),
      name: 'Playground',
      expires_at: endsAt,
      operations: ['chat-completions'],
    };
    const data = await call<CreatedKeyAnswer>('POST', '/keys', { body });
    held.current = { id: data.id, secret: data.key, tenant, endsAt };
    refresh('/keys');
    return data.key;
  };
}
