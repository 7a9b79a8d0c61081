/** What DynamoDB says of the expiry and the recovery of a table. Sources: docs.aws.amazon.com, API_DescribeTimeToLive, API_DescribeContinuousBackups. */
import { expiryAttribute } from '../lib/core/tables.ts';

/** `description`: the `TimeToLiveDescription`. */
export function expires(description: unknown): boolean {
  const { TimeToLiveStatus, AttributeName } = Object(description) as Readonly<Record<string, string>>;
  return TimeToLiveStatus?.startsWith('ENABL') === true && AttributeName === expiryAttribute;
}

interface Recovery {
  readonly PointInTimeRecoveryStatus?: string;
  readonly EarliestRestorableDateTime?: number;
  readonly LatestRestorableDateTime?: number;
}

/** `description`: the `ContinuousBackupsDescription`. */
export const recoveryOf = (description: unknown): Recovery =>
  (Object(description) as { readonly PointInTimeRecoveryDescription?: Recovery })
    .PointInTimeRecoveryDescription ?? {};

export const isRecoverable = (description: unknown): boolean =>
  recoveryOf(description).PointInTimeRecoveryStatus === 'ENABLED';
