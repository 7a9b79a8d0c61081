/**
 * How many bytes a tenant has stored: a sum for each day (UTC) on which files expire, so that nothing has to count what expires. An item
 * beside the tenant's files for each day (`stored#2026-11-20`).
 */

import { dayOf } from '../../core/accounting/counters.ts';
import { minCountedBytes } from '../../core/files.ts';
import { expiryAttribute } from '../../core/tables.ts';
import type { Table } from '../dynamodb/table.ts';

interface Counted {
  readonly tenant: string;
  readonly bytes: number;
  /** Unix seconds. */
  readonly expiresAt: number;
}

interface StoredBytesCounter {
  add(counted: Counted): Promise<void>;
  subtract(counted: Counted): Promise<void>;
  sum(tenant: string): Promise<number>;
}

const daySeconds = 86_400;

export function countStoredBytes(table: Table, now: () => number): StoredBytesCounter {
  const count = async ({ tenant, bytes, expiresAt }: Counted, sign: 1 | -1) => {
    await table.update([tenant, keyOf(expiresAt * 1_000)], {
      expression: 'ADD #bytes :bytes SET #expires = :expires',
      names: { '#bytes': 'bytes', '#expires': expiryAttribute },
      values: { ':bytes': sign * Math.max(bytes, minCountedBytes), ':expires': expiresAt + daySeconds },
    });
  };
  return {
    add: (counted) => count(counted, 1),
    subtract: (counted) => count(counted, -1),
    async sum(tenant) {
      const days = await table.query(tenant, { from: keyOf(now()), to: `${prefix}~` });
      return days.reduce((total, { bytes }) => total + (typeof bytes === 'number' ? bytes : 0), 0);
    },
  };
}

const prefix = 'stored#';
const keyOf = (milliseconds: number): string => prefix + dayOf(milliseconds);
