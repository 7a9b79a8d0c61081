/** Whether the database answers, for hosts that ask a process whether it is ready. */
import { withTimeout } from '../async/with-timeout.ts';
import { createKeyStore } from '../stores/access/keys.ts';
import type { Variables } from './environment.ts';
import { foundationOf } from './foundation.ts';

/** Longer than a read takes with its retries, shorter than the check of a balancer waits (5 s at AWS and in Kubernetes' examples). */
const timeoutMs = 2_000;

/** Reads an item that is never there. Resolves with false after two seconds, too; never rejects. */
export function createDatabaseCheck(variables: Variables): () => Promise<boolean> {
  const keys = createKeyStore(foundationOf(variables).table('access'));
  const read = () =>
    keys.findByHash('none').then(
      () => true,
      () => false,
    );
  return () => withTimeout(read(), timeoutMs, () => false);
}
