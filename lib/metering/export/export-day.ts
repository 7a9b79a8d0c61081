/**
 * Exports a day of the ledger to a bucket: for each tenant, objects of at most so many lines. The same day again replaces the same
 * objects. A tenant without requests has one object, with the head only: it shows that the day was exported.
 */

import { mapConcurrently } from '../../async/map-concurrently.ts';
import { failureFields } from '../../core/errors/failure-fields.ts';
import type { PutObject } from '../../core/ports/aws.ts';
import type { Log } from '../../core/ports/log.ts';
import { dayMs } from '../../core/time.ts';
import type { ExportFormat } from './formats.ts';
import { type ExportStores, openExport } from './tenant-export.ts';

interface DayExportParts extends ExportStores {
  readonly tenants: { names(): Promise<readonly string[]> };
  readonly putObject: PutObject;
  readonly format: ExportFormat;
  readonly log: Log;
  /** The most lines of an object, without its head: so many are in memory for each tenant at work. */
  readonly partLines?: number;
}

export interface ExportedDay {
  readonly tenants: number;
  readonly objects: number;
  readonly lines: number;
  /** Requests that the format cannot express, because their charge is not known. */
  readonly skipped: number;
}

/** What all keys of objects begin with. */
export const exportPrefix = 'usage';

const defaultPartLines = 10_000;

/** Tenants that are exported at the same time. */
const atOnce = 4;

/** `day`: `YYYY-MM-DD`. Rejects, after all other tenants, if a tenant could not be exported. */
export async function exportDay(parts: DayExportParts, day: string): Promise<ExportedDay> {
  const names = await parts.tenants.names();
  const failed: string[] = [];
  const results = await mapConcurrently(names, atOnce, async (tenant) => {
    try {
      return await exportTenant(parts, day, tenant);
    } catch (error) {
      failed.push(tenant);
      parts.log.error('tenant not exported', { tenant, day, ...failureFields(error) });
      return nothing;
    }
  });
  if (failed.length > 0) throw new Error(`${failed.length} of ${names.length} tenants were not exported.`);
  return results.reduce(add, { ...nothing, tenants: names.length });
}

type Exported = Omit<ExportedDay, 'tenants'>;

const nothing: Exported = { objects: 0, lines: 0, skipped: 0 };

const add = (sum: ExportedDay, { objects, lines, skipped }: Exported): ExportedDay => ({
  tenants: sum.tenants,
  objects: sum.objects + objects,
  lines: sum.lines + lines,
  skipped: sum.skipped + skipped,
});

async function exportTenant(parts: DayExportParts, day: string, tenant: string): Promise<Exported> {
  const { putObject, format, partLines = defaultPartLines } = parts;
  const from = Date.parse(day);
  const span = { from, to: from + dayMs };
  const source = await openExport(parts, { tenant, span, format, adjustments: 'made' });
  const done = { objects: 0, lines: 0, skipped: 0 };
  let part: string[] = [];
  const put = async () => {
    done.objects += 1;
    done.lines += part.length;
    const number = `${done.objects}`.padStart(4, '0');
    const lines = source.head === undefined ? part : [source.head, ...part];
    await putObject({
      // Names of tenants have only characters that keys may have.
      key: `${exportPrefix}/${day}/${tenant}/part-${number}.${source.extension}`,
      contentType: contentTypes[format],
      body: lines.map((line) => `${line}\n`).join(''),
    });
    part = [];
  };
  const onSkipped = () => {
    done.skipped += 1;
  };
  for await (const line of source.lines(onSkipped)) {
    part.push(line);
    if (part.length === partLines) await put();
  }
  if (part.length > 0 || done.objects === 0) await put();
  return done;
}

const contentTypes: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  focus: 'text/csv; charset=utf-8',
  jsonl: 'application/x-ndjson',
};
