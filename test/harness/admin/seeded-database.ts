/**
 * A process with an embedded database of a hundred thousand records of a thousand tenants and their sums, so that a test can measure
 * the gateway without it. Its argument is a data directory; it sends its endpoint when it is ready, and ends with its parent.
 */

import type { LedgerRecord } from '../../../lib/core/accounting/ledger.ts';
import { withTime } from '../../../lib/core/names/request-id.ts';
import { startDatabase } from '../../../local/database.ts';
import { testRecord } from '../ledger.ts';
import { createRandom } from '../random.ts';
import { catchStore, seedLedger } from './seed-ledger.ts';

const records = 100_000;
const tenants = 1_000;
const days = 62;
const dayMs = 86_400_000;
const now = Date.now();

/** Few tenants have most of the requests; a large one has many keys and models. */
function* makeRecords(): Generator<LedgerRecord> {
  const random = createRandom(1);
  for (let index = 0; index < records; index += 1) {
    const tenant = Math.floor(tenants * random.next() ** 3);
    const model = random.between(0, tenant < 20 ? 19 : 3);
    const at = now - Math.floor(random.next() * days * dayMs);
    yield {
      ...testRecord({
        requestId: withTime(`00000000-0000-4000-8000-${String(index).padStart(12, '0')}`, at),
        tenant: `tenant-${tenant}`,
        key: `key_${tenant}_${random.between(0, tenant < 20 ? 9 : 1)}`,
        model: `owner/model-${model}`,
        provider: `provider-${model % 7}`,
        at,
        streamed: true,
        firstByteMs: random.between(200, 3_000),
        ...(tenant < 20 && { user: `user-${random.between(0, 9)}` }),
        cost: random.chance(0.01) ? null : random.between(1_000, 9_000_000),
        ...(random.chance(0.02) && { status: 500, error: 'provider_error' }),
      }),
    };
  }
}

const [, , dataDirectory = ''] = process.argv;
process.once('disconnect', () => process.exit());
const store = catchStore();
const { endpoint } = await startDatabase({ dataDirectory });
await seedLedger(store(), makeRecords());
process.send?.({ endpoint });
