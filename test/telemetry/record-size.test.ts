/** What spans add to the ledger: docs/operate/telemetry.md has the sizes, and a usual record still fits into one write unit. */
import { expect, test } from 'vitest';
import { holds, ledgerRecord, writeUnit } from '../../cli/cost/sizes.ts';
import { telemetryPage } from '../../cli/docs/telemetry-page.ts';
import type { LedgerRecord } from '../../lib/core/accounting/ledger.ts';
import { toItem } from '../../lib/stores/dynamodb/attribute-values.ts';
import { recordToFields } from '../../lib/stores/usage/ledger-item.ts';
import { itemSize } from '../cost/request-writes.ts';
import { testRecord } from '../harness/ledger.ts';

const plain = testRecord();
const sizeOf = (record: LedgerRecord): number => itemSize(toItem({ record: recordToFields(record) }));
const added = (more: Partial<LedgerRecord>): number => sizeOf({ ...plain, ...more }) - sizeOf(plain);

test('finish reasons and the trace of a caller cost what the documentation says', () => {
  const reasons = added({ finishReasons: ['stop'] });
  const trace = added({ trace: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' });
  expect(telemetryPage()).toContain(`A request costs ${reasons} bytes more in the ledger`);
  expect(telemetryPage()).toContain(`and ${trace} more if its caller sent`);
  expect(ledgerRecord + holds + reasons + trace).toBeLessThan(writeUnit);
});

test('without them a record is as large as before', () => {
  expect(added({})).toBe(0);
});
