/** A response in the background that no worker has begun: its run, and the open record of its request. */
import { randomUUID } from 'node:crypto';
import { newRequestId } from '../../../lib/core/names/request-id.ts';
import type { AwsCall } from '../../../lib/core/ports/aws.ts';
import { createBackgroundStore } from '../../../lib/stores/responses/background.ts';
import { createUsageStore } from '../../../lib/stores/usage/usage.ts';
import { testRecord } from '../ledger.ts';

interface Queued {
  readonly tenant: string;
  /** The id of the key. */
  readonly key: string;
  /** When it was queued, in Unix milliseconds. */
  readonly at: number;
}

export async function queueResponse(call: AwsCall, { tenant, key, at }: Queued) {
  const now = () => at;
  const response = `resp_${randomUUID().replaceAll('-', '')}`;
  const requestId = newRequestId(at);
  const sent = testRecord({ requestId, tenant, key, at, response, cost: 0, charge: 0 });
  const record = { ...sent, attempts: [] };
  await createUsageStore({ call, table: 'usage', now }).open(record, 1);
  const begun = { id: response, object: 'response', background: true, status: 'queued', output: [] };
  const created = { keyHash: 'none', headers: {}, streamed: true, request: {}, begun };
  const runs = createBackgroundStore({ call, table: 'state', now });
  await runs.create({ tenant, id: response }, { ...created, hold: { record, partitions: 1 } });
  return { requestId, response, model: record.model };
}
