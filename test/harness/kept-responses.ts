/** The kept responses of the local gateway of this process, put there without a request. */
import { randomUUID } from 'node:crypto';
import { connectDatabase } from '../../infra/local/database-call.ts';
import { hashApiKey } from '../../lib/core/api-key.ts';
import type { KeptResponse } from '../../lib/core/ports.ts';
import { createAccessStore } from '../../lib/stores/access.ts';
import { createResponseStore } from '../../lib/stores/responses.ts';

export interface KeptResponses {
  /** Keeps one as the tenant of this key would, and gives its id. `at`: when it was made, in milliseconds. */
  keep(apiKey: string, make: (id: string) => KeptResponse, at?: number): Promise<string>;
  /** A key of another tenant. */
  newKey(tenant: string): Promise<string>;
  close(): Promise<void>;
}

export function openKeptResponses(): KeptResponses {
  const { call, close } = connectDatabase(process.env.DYNAMODB_ENDPOINT ?? '');
  const access = createAccessStore({ call, table: 'access' });
  return {
    async keep(apiKey, make, at = Date.now()) {
      const id = `resp_${randomUUID().replaceAll('-', '')}`;
      const found = await access.findByHash(hashApiKey(apiKey));
      const store = createResponseStore({ call, table: 'state', now: () => at });
      await store.keep(found?.tenant ?? '', id, make(id));
      return id;
    },
    newKey: async (tenant) => (await access.create({ tenant })).secret,
    close,
  };
}
