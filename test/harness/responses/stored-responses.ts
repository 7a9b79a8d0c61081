/** Stored responses of the local gateway of this process, written without a request, and ways to read them. */

import { randomUUID } from 'node:crypto';
import OpenAI from 'openai';
import { hashApiKey } from '../../../lib/core/names/api-key.ts';
import type { StoredResponse } from '../../../lib/core/stored-response.ts';
import { createKeyStore } from '../../../lib/stores/access/keys.ts';
import { createResponseStore } from '../../../lib/stores/responses/responses.ts';
import { connectDatabase } from '../../../local/database-call.ts';
import { databaseEndpoint } from '../gateways/environment.ts';
import { useGateway } from '../gateways/use-gateway.ts';
import { use } from '../use.ts';
import { sampleResponse } from './sample-response.ts';

interface Asked {
  readonly method?: string;
  readonly apiKey?: string;
  /** Sent as plain text. */
  readonly body?: string;
}

interface StoredResponses {
  client(): OpenAI;
  /** Stores one for the tenant of this key (by default the gateway's own), and returns its id. `at`: in milliseconds. */
  store(options?: {
    readonly make?: (id: string) => StoredResponse;
    readonly apiKey?: string;
    readonly at?: number;
  }): Promise<string>;
  /** A key of another tenant. */
  newKey(tenant: string): Promise<string>;
  /** Sends a request below `/v1/responses/` without an SDK: for requests that no SDK sends, and to read the exact bytes. */
  ask(
    path: string,
    asked?: Asked,
  ): Promise<{ readonly status: number; readonly headers: Headers; readonly text: string }>;
}

/** Starts a gateway for the tests of a file. */
export function useStoredResponses(): StoredResponses {
  const gateway = useGateway();
  const database = use(() => connectDatabase(databaseEndpoint()));
  const access = () => createKeyStore({ call: database.call, table: 'access' });
  return {
    client: () => new OpenAI({ baseURL: `${gateway().url}/v1`, apiKey: gateway().apiKey, maxRetries: 0 }),
    async store({ make = sampleResponse, apiKey = gateway().apiKey, at = Date.now() } = {}) {
      const id = `resp_${randomUUID().replaceAll('-', '')}`;
      const found = await access().findByHash(hashApiKey(apiKey));
      const responses = createResponseStore({ call: database.call, table: 'state', now: () => at });
      await responses.put(found?.tenant ?? '', id, make(id));
      return id;
    },
    newKey: async (tenant) => (await access().create({ tenant })).secret,
    async ask(path, { method = 'GET', apiKey = gateway().apiKey, body } = {}) {
      const headers = { authorization: `Bearer ${apiKey}` };
      const init = { method, headers, ...(body !== undefined && { body }) };
      const response = await fetch(`${gateway().url}/v1/responses/${path}`, init);
      return { status: response.status, headers: response.headers, text: await response.text() };
    },
  };
}
