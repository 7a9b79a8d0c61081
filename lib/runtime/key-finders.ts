/** How API keys are found, for all that runs with the same environment. */
import { lazyFor } from '../async/lazy.ts';
import { createApiKeyFinders } from '../stores/access/find-api-key.ts';
import { createKeyStore } from '../stores/access/keys.ts';
import { createTenantStore } from '../stores/access/tenants.ts';
import type { Variables } from './environment.ts';
import { foundationOf } from './foundation.ts';

// Functions that need the base alone are built without it.
export const keyFindersOf = /* @__PURE__ */ lazyFor((variables: Variables) => {
  const { now, table } = foundationOf(variables);
  const keys = createKeyStore(table('access'));
  return createApiKeyFinders({ keys, tenants: createTenantStore(table('access')), now });
});
