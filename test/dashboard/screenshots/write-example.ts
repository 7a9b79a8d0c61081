/** Writes the example into the gateway of this process: tenants, keys and the ledger, whose sums follow by themselves. */

import { mapConcurrently } from '../../../lib/async/map-concurrently.ts';
import type { Model } from '../../../lib/core/model.ts';
import { createLightFoundation } from '../../../lib/runtime/light-runtime.ts';
import { createRuntime } from '../../../lib/runtime/runtime.ts';
import { createKeyStore } from '../../../lib/stores/access/keys.ts';
import { createTenantStore } from '../../../lib/stores/access/tenants.ts';
import { createAggregateStore } from '../../../lib/stores/usage/aggregate.ts';
import { createUsageStore } from '../../../lib/stores/usage/usage.ts';
import { createRandom } from '../../harness/random.ts';
import { writeChanges } from './example-changes.ts';
import { exampleTenants } from './example-people.ts';
import { requestsOf } from './example-requests.ts';

/** Returns how many requests it has. */
export async function writeExample(days: number): Promise<number> {
  const foundation = createLightFoundation();
  const { table, now } = foundation;
  const keys = createKeyStore(table('access'));
  const tenants = createTenantStore(table('access'));
  const usage = createUsageStore({ ...table('usage'), now });
  const known = await createRuntime(foundation).catalog.list();
  const models = new Map<string, Model>(known.map((model) => [model.id, model]));
  const random = createRandom(7);
  let written = 0;
  // As if the gateway had been there all the time: what was before its sums is not shown.
  const sums = createAggregateStore({ ...table('usage'), now: () => now() - (days + 1) * 86_400_000 });
  await sums.noteSums(false);
  await sums.noteSums(true);
  for (const { name, change, keys: made } of exampleTenants) {
    await tenants.create(name);
    await tenants.change(name, change);
    for (const { habit, ...key } of made) {
      const { id, secret: _ } = await keys.create({ ...key, tenant: name });
      if (!habit) {
        await keys.disable(id);
        continue;
      }
      const records = [...requestsOf({ tenant: name, key: id, habit }, models, random, days)];
      await mapConcurrently(records, 8, async (record) => {
        await usage.record(record, `write_${record.requestId}`);
      });
      written += records.length;
    }
  }
  await writeChanges();
  return written;
}
