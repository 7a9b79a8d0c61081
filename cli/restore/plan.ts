/**
 * What a restore would do: the table that it is of, the moments that it can have, and the table that it makes. Sources:
 * docs.aws.amazon.com DynamoDB, API_DescribeContinuousBackups, API_RestoreTableToPointInTime, API_ListTagsOfResource.
 */

import { act, describeTable, type TableDescription } from '../../infra/tables/table-calls.ts';
import type { TableName } from '../../lib/core/tables.ts';
import { type InstalledDatabase, UsageError } from '../command.ts';
import { recoveryOf } from '../table-facts.ts';

const form = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2})$/;

/** In Unix seconds, the precision of a restore. A time zone is required: an hour more or less is other data. */
export function readTime(text: string): number {
  const time = form.test(text) && isDay(text.slice(0, 10)) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return time / 1000;
  throw new UsageError(`--at must be a time with its zone, such as 2026-11-20T10:00:00Z, not ${text}.`);
}

/** Parsing takes February 30 for March 2. */
const isDay = (day: string): boolean => {
  const time = Date.parse(day);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
};

/** As in the plan, and without what a table's name cannot have: `20261120T100000Z`. */
const inName = (seconds: number): string => showTime(seconds).replaceAll(/[-:]/g, '');

export const showTime = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().replace('.000', '');

interface Tag {
  readonly Key: string;
  readonly Value: string;
}

export interface RestorePlan {
  readonly purpose: TableName;
  /** In Unix seconds, as `earliest` and `latest`. */
  readonly at: number;
  readonly source: TableDescription & { readonly name: string; readonly arn: string };
  readonly earliest: number;
  readonly latest: number;
  /** What the new table gets: the source's, without those that only AWS may set. */
  readonly tags: readonly Tag[];
  readonly target: string;
  readonly targetArn: string;
  /** Whether an earlier run began it. */
  readonly isBegun: boolean;
}

/** Rejects for a table without recovery, for a moment that cannot be restored, and for a name that another table has. */
export async function makePlan(
  { call, nameOf }: InstalledDatabase,
  purpose: TableName,
  at: number,
): Promise<RestorePlan> {
  const name = nameOf(purpose);
  const described = await describeTable(call, name);
  // Source: docs.aws.amazon.com DynamoDB, pointintimerecovery_beforeyoubegin.
  if (!described)
    throw new Error(
      `The table ${name} does not exist. Of a deleted table with recovery, DynamoDB keeps a backup for 35 days: see docs/operate/restore.md.`,
    );
  const { TableArn: arn = '' } = described;
  const source = { ...described, name, arn };
  const target = targetName(name, at);
  const isBegun = await isOurs(call, target, { arn, at });
  const { earliest, latest } = await restorable(call, name);
  if (!isBegun && (at < earliest || at > latest))
    throw new Error(
      `The table ${name} can be restored as it was from ${showTime(earliest)} to ${showTime(latest)}, and not at ${showTime(at)}.`,
    );
  const tags = await tagsOf(call, arn);
  const targetArn = `${arn.slice(0, arn.lastIndexOf('/') + 1)}${target}`;
  return { purpose, at, source, earliest, latest, tags, target, targetArn, isBegun };
}

/** A table has at most 255 characters in its name. The same moment gives the same name, so that a second run finds the first one's table. */
function targetName(source: string, at: number): string {
  const suffix = `-at-${inName(at)}`;
  return source.replace(/-at-\d{8}T\d{6}Z$/, '').slice(0, 255 - suffix.length) + suffix;
}

interface Origin {
  readonly arn: string;
  readonly at: number;
}

/** Whether the target is there, as a restore of this table and moment. Rejects if it is another table. */
export async function isOurs(
  call: InstalledDatabase['call'],
  target: string,
  { arn, at }: Origin,
): Promise<boolean> {
  const found = await describeTable(call, target);
  if (!found) return false;
  const { SourceTableArn, RestoreDateTime = 0 } = found.RestoreSummary ?? {};
  if (SourceTableArn === arn && Math.floor(RestoreDateTime) === at) return true;
  throw new Error(
    `The table ${target} exists, and is no restore of this table at this moment. Delete it, or choose another second with --at.`,
  );
}

async function restorable(call: InstalledDatabase['call'], table: string) {
  const { ContinuousBackupsDescription } = await act(call, 'DescribeContinuousBackups', { TableName: table });
  const recovery = recoveryOf(ContinuousBackupsDescription);
  const { EarliestRestorableDateTime: earliest, LatestRestorableDateTime: latest } = recovery;
  if (recovery.PointInTimeRecoveryStatus !== 'ENABLED' || earliest === undefined || latest === undefined)
    throw new Error(
      `The table ${table} has no point-in-time recovery, so that nothing of it can be restored. With -c responseRecovery=off, the table "state" has none.`,
    );
  return { earliest: Math.ceil(earliest), latest: Math.floor(latest) };
}

/** Pages of tags: a table has at most 50 tags, and a page fewer. */
const maxTagPages = 50;

async function tagsOf(call: InstalledDatabase['call'], arn: string): Promise<readonly Tag[]> {
  const found: Tag[] = [];
  let next: unknown;
  for (let page = 0; page < maxTagPages; page += 1) {
    const answer = await act(call, 'ListTagsOfResource', {
      ResourceArn: arn,
      ...(next !== undefined && { NextToken: next }),
    });
    found.push(...((answer.Tags ?? []) as readonly Tag[]));
    next = answer.NextToken;
    if (next === undefined) break;
  }
  // Source: docs.aws.amazon.com DynamoDB, Tagging: names and values that begin with aws: are AWS's own.
  return found.filter(({ Key }) => !Key.startsWith('aws:') && Key !== restoredFrom);
}

/** The tag of a restored table, with the ARN of its source. */
export const restoredFrom = 'gateway:restored-from';
