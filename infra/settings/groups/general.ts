/** The settings of a deployment that belong to no other topic. */
import { readCorsOrigins } from '../../../lib/core/cors.ts';
import { type ExportFormat, exportFormats } from '../../../lib/metering/export/formats.ts';
import { isTrue, matching, oneOf, type SettingRow, type SettingText, wholeNumber } from '../values.ts';

export interface GeneralSettings {
  /** `ledgerDays`: how long the record of each request is kept. Daily totals stay. */
  readonly ledgerDays: number;
  /** `cacheSeconds`: the longest that content is cached at a provider that charges for it by time. */
  readonly cacheSeconds: number;
  /**
   * `memory` of each function that serves requests, in MB. The largest requests take 232 of it: `docs/decisions/0021-cold-start.md`,
   * `test/contract/request-memory.test.ts`.
   */
  readonly memory: number;
  /** `corsOrigins`: the web pages that may call the gateway from a browser, separated by commas; none by default. */
  readonly corsOrigins: readonly string[];
  /** `exportBucket`: where the ledger is exported to each day, in `exportFormat`; nowhere by default. */
  readonly exportBucket: string;
  readonly exportFormat: ExportFormat;
  /** `logLevel` of the functions. */
  readonly logLevel: string;
  /** `logDays`: after so many days, a line of a log is deleted. */
  readonly logDays: number;
  /** `fips`: services of AWS are called at their hosts for FIPS 140. Not every region has them for every service. */
  readonly fips: boolean;
  /** `dualStack`: they are called at their hosts for both versions of IP. */
  readonly dualStack: boolean;
}

/** Lambda's limits. */
const memorySizes = { min: 128, max: 10_240 };

const logLevels = ['DEBUG', 'INFO', 'WARN', 'ERROR'];

/** What CloudWatch offers. Source: docs.aws.amazon.com AmazonCloudWatchLogs, API_PutRetentionPolicy. */
const retentionDays = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
] as const;

/** No certificate covers the host name of a bucket with dots. */
export const bucketName = /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/;

export const generalRows: readonly SettingRow[] = [
  { name: 'ledgerDays', meaning: 'How long the record of each request is kept. Daily totals stay' },
  {
    name: 'cacheSeconds',
    meaning: 'The longest that a cache marker keeps content at a provider that charges for it by time',
  },
  {
    name: 'memory',
    meaning:
      'Of each function that serves requests, in MB; images have 512 at least. With less than 256, the largest allowed requests fail; more also makes each request faster',
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
  {
    name: 'logDays',
    meaning: `After how many days the lines of logs are deleted: ${retentionDays.join(', ')}. A gigabyte costs about $0.03 a month. Groups whose lines may be the only copy of a record outlive the stack, as tables do (\`retain\`)`,
  },
  {
    name: 'fips',
    meaning:
      '`true`: services of AWS are called at their hosts for FIPS 140, which regions of the United States and Canada have',
  },
  { name: 'dualStack', meaning: '`true`: services of AWS are called at their hosts for IPv4 and IPv6' },
];

/** Throws an Error that names the setting at fault. */
export const readGeneral = (text: SettingText): GeneralSettings => ({
  ledgerDays: wholeNumber(text, 'ledgerDays', 90),
  cacheSeconds: wholeNumber(text, 'cacheSeconds', 3600),
  memory: wholeNumber(text, 'memory', 256, memorySizes),
  corsOrigins: readCorsOrigins('The setting "corsOrigins"', text('corsOrigins', '')),
  exportBucket: matching(text, 'exportBucket', bucketName, 'the name of a bucket, without dots'),
  exportFormat: oneOf(text, 'exportFormat', exportFormats, 'focus'),
  logLevel: oneOf(text, 'logLevel', logLevels, 'INFO'),
  logDays: Number(oneOf(text, 'logDays', retentionDays.map(String), '30')),
  fips: isTrue(text, 'fips'),
  dualStack: isTrue(text, 'dualStack'),
});
