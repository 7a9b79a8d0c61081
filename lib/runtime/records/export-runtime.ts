/** The exporter of the ledger with its dependencies. It is invoked by a schedule, or by hand, and answers no request. */

import { dayOf } from '../../core/accounting/counters.ts';
import { ownFailureFields } from '../../core/errors/failure-fields.ts';
import { dayMs } from '../../core/time.ts';
import { type ExportedDay, exportDay } from '../../metering/export/export-day.ts';
import { exportFormats } from '../../metering/export/formats.ts';
import { createTenantStore } from '../../stores/access/tenants.ts';
import { createJournal } from '../../stores/usage/journal.ts';
import { rememberPartitions } from '../../stores/usage/partitions.ts';
import { createUsageStore } from '../../stores/usage/usage.ts';
import { bucketEndpoint } from '../../transport/aws/aws-endpoints.ts';
import { createBucket } from '../../transport/aws/bucket.ts';
import type { Foundation } from '../foundation.ts';

/** Of the schedule it has a `time`; by hand, a `day`. */
export interface ExportEvent {
  /** The day to export, `YYYY-MM-DD` (UTC); default: the one before `time`. */
  readonly day?: unknown;
  /** When the schedule was due (ISO 8601); default: now. A late or repeated event exports the same day. */
  readonly time?: unknown;
}

interface ExporterParts
  extends Pick<Foundation, 'endpointOf' | 'environment' | 'log' | 'now' | 'send' | 'sign' | 'table'> {
  /** Of the bucket; default: that of S3. */
  readonly endpoint?: string;
  readonly partLines?: number;
}

/** Rejects if the export of the day must be tried again. */
export function createExporter(
  parts: ExporterParts,
): (event: ExportEvent) => Promise<ExportedDay & { readonly day: string }> {
  const { environment, log, now, table, partLines } = parts;
  const tenants = createTenantStore(table('access'));
  const ledgerDays = environment.GATEWAY_LEDGER_DAYS;
  const partitionsOf = rememberPartitions(tenants, now);
  const usage = createUsageStore({ ...table('usage'), now, ledgerDays, partitionsOf });
  const journal = createJournal(table('usage'));
  return async (event) => {
    try {
      const day = dayToExport(event, now(), usage.oldestDay());
      const target = targetOf(parts);
      const source = { tenants, usage, journal, log };
      const exported = {
        day,
        ...(await exportDay({ ...source, ...target, ...(partLines && { partLines }) }, day)),
      };
      log.info('ledger exported', exported);
      return exported;
    } catch (error) {
      // A metric of the stack counts these lines.
      log.error('export failed', ownFailureFields(error));
      throw error;
    }
  };
}

function targetOf({ endpointOf, environment, send, sign, endpoint }: ExporterParts) {
  const {
    AWS_REGION: region,
    GATEWAY_EXPORT_BUCKET: bucket,
    GATEWAY_EXPORT_FORMAT: name = 'focus',
  } = environment;
  const format = exportFormats.find((known) => known === name);
  if (bucket === undefined || !format)
    throw new Error('The bucket or the format of exports is not configured.');
  return {
    format,
    putObject: createBucket({
      send,
      sign,
      region,
      endpoint: endpoint ?? bucketEndpoint(endpointOf, bucket),
    }).put,
  };
}

/** A day that is not over would be incomplete, and an old one would replace a complete export by what is left of it. */
function dayToExport({ day, time }: ExportEvent, now: number, oldest: string): string {
  const due = typeof time === 'string' ? Date.parse(time) : now;
  const chosen = day ?? (Number.isNaN(due) ? undefined : dayOf(due - dayMs));
  if (!isDay(chosen)) throw new Error('The day must be a date such as 2027-01-31.');
  if (chosen >= dayOf(now)) throw new Error(`The day ${chosen} is not over.`);
  if (chosen < oldest) throw new Error(`The ledger no longer has the whole day ${chosen}.`);
  return chosen;
}

function isDay(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const time = Date.parse(value);
  return !Number.isNaN(time) && dayOf(time) === value;
}
