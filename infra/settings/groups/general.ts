/** The settings of a deployment that belong to no other topic. */
import { readCorsOrigins } from '../../../lib/core/cors.ts';
import { type ExportFormat, exportFormats } from '../../../lib/metering/export/formats.ts';
import type { SettingRow } from '../row.ts';
import { matching, oneOf, type SettingText, wholeNumber } from '../values.ts';

export interface GeneralSettings {
  /** `ledgerDays`: how long the record of each request is kept. Daily totals stay. */
  readonly ledgerDays: number;
  /** `cacheSeconds`: the longest that content is cached at a provider that charges for it by time. */
  readonly cacheSeconds: number;
  /**
   * `memory` of each function that serves requests, in MB. The largest allowed request takes 309 and Lambda's own part, which 512
   * holds and 256 does not: `docs/decisions/0021-cold-start.md`, `test/contract/request-memory.test.ts`.
   */
  readonly memory: number;
  /** `corsOrigins`: the web pages that may call the gateway from a browser, separated by commas; none by default. */
  readonly corsOrigins: readonly string[];
  /** `exportBucket`: where the ledger is exported to each day, in `exportFormat`; nowhere by default. */
  readonly exportBucket: string;
  readonly exportFormat: ExportFormat;
  /** `logLevel` of the functions. */
  readonly logLevel: string;
}

/** Lambda's limits. */
const memorySizes = { min: 128, max: 10_240 };

const logLevels = ['DEBUG', 'INFO', 'WARN', 'ERROR'];

/** No certificate covers the host name of a bucket with dots. */
const bucketName = /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/;

export const generalRows: readonly SettingRow[] = [
  { name: 'ledgerDays', meaning: 'How long the record of each request is kept. Daily totals stay' },
  {
    name: 'cacheSeconds',
    meaning: 'The longest that a cache marker keeps content at a provider that charges for it by time',
  },
  {
    name: 'memory',
    meaning:
      'Of each function that serves requests, in MB. With less than 512, the largest allowed requests fail',
    hosts: ['event', 'web'],
  },
  {
    name: 'corsOrigins',
    meaning:
      'The web pages that may call the gateway from a browser: origins such as `https://app.example.com`, or `*`. Everyone who can open such a page can use a key that is in it: give each user a key of their own, with limits',
    form: 'list',
  },
  {
    name: 'exportBucket',
    meaning:
      'The bucket that the ledger is exported to each night, see [billing.md](../operate/billing.md#exports)',
  },
  { name: 'exportFormat', meaning: `Its format: ${exportFormats.map((name) => `\`${name}\``).join(', ')}` },
  { name: 'logLevel', meaning: `Of all functions: ${logLevels.map((name) => `\`${name}\``).join(', ')}` },
];

/** Throws an Error that names the setting at fault. */
export const readGeneral = (text: SettingText): GeneralSettings => ({
  ledgerDays: wholeNumber('ledgerDays', text('ledgerDays', '90')),
  cacheSeconds: wholeNumber('cacheSeconds', text('cacheSeconds', '3600')),
  memory: wholeNumber('memory', text('memory', '512'), memorySizes),
  corsOrigins: readCorsOrigins('The setting "corsOrigins"', text('corsOrigins', '')),
  exportBucket: matching(
    'exportBucket',
    text('exportBucket', ''),
    bucketName,
    'the name of a bucket, without dots',
  ),
  exportFormat: oneOf('exportFormat', text('exportFormat', 'focus'), exportFormats),
  logLevel: oneOf('logLevel', text('logLevel', 'INFO'), logLevels),
});
