/**
 * One request of the key's tenant: `GET /v1/usage/requests/{request_id}`, by the `x-request-id` of its answer.
 *
 * It has what each attempt used, what it is charged and how that is computed. Amounts are what the tenant is charged, never what
 * the providers take. `status` is `open` while the request runs, `interrupted` if its process ended before its answer did.
 */
import * as z from 'zod/mini';
import type { Endpoint } from '../../core/endpoint.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import type { Catalog } from '../../core/ports/catalog.ts';
import type { UsageStore } from '../../core/ports/usage-store.ts';
import { writeRequest } from '../../metering/usage/write-request.ts';

const maxRequestId = 128;

export const requestSchema = z.strictObject({ request_id: z.string().check(z.maxLength(maxRequestId)) });

interface RequestParts {
  readonly usage: Pick<UsageStore, 'find'>;
  readonly catalog: Pick<Catalog, 'find'>;
  readonly now: () => number;
}

export function requestEndpoint(parts: RequestParts): Endpoint<typeof requestSchema, string> {
  return {
    schema: requestSchema,
    read: ({ request_id }) => request_id,
    async answer({ input: id, key }) {
      if (!key) throw new GatewayError('invalid_api_key', 'An API key is required.');
      const item = await parts.usage.find(key.tenant, id);
      if (!item) throw notFound(id);
      return { type: 'json', body: await writeRequest(parts, item, key.tenantPolicy?.pricing) };
    },
  };
}

const notFound = (id: string) =>
  new GatewayError(
    'not_found',
    `No record of the request '${id.slice(0, 64)}' was found: it reached no provider, or its record has expired.`,
    { param: 'request_id' },
  );
