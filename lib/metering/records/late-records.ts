/** Final records that are being written after their answers have ended, in a process that goes on. A few thousand at most. */
import type { LedgerRecord } from '../../core/accounting/ledger.ts';

export interface LateRecords {
  /** Between attempts to write one. */
  readonly pausesMs: readonly number[];
  /** False: there are too many. `lose` is called if the process ends before the record is removed. */
  add(record: LedgerRecord, lose: () => void): boolean;
  /** False if it was lost before. */
  remove(record: LedgerRecord): boolean;
  /** The process ends: each record is reported as lost. */
  loseAll(): void;
}

/** Records of a few kilobytes each. */
const maxLateRecords = 5_000;

/** Four minutes together, so that a fault that passes loses nothing. */
const latePausesMs = [50, 200, 600, 2_000, 5_000, 10_000, 20_000, 30_000, 60_000, 120_000];

export function createLateRecords(pausesMs = latePausesMs): LateRecords {
  const late = new Map<LedgerRecord, () => void>();
  return {
    pausesMs,
    add(record, lose) {
      if (late.size >= maxLateRecords) return false;
      late.set(record, lose);
      return true;
    },
    remove: (record) => late.delete(record),
    loseAll() {
      for (const lose of late.values()) lose();
      late.clear();
    },
  };
}
