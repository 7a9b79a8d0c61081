/** Bounds of what an operator gives the command line. */
import { maxComparedBytes, maxComparedModels } from '../../catalog/compare/read-file.ts';
import { maxAliasTargets } from '../../cli/catalog/alias-targets.ts';
import { longestOverlap } from '../../cli/keys/keys-rotate.ts';
import { maxTenants } from '../../cli/restore/compare-data.ts';
import { maxWaitSeconds } from '../../cli/restore/restore.ts';
import { maxThresholds, maxThroughput } from '../../cli/tenants/set-terms.ts';
import { longestNote } from '../../cli/tenants/tenants-add-credit.ts';
import { longestReason } from '../../cli/tenants/tenants-adjust.ts';
import { maxFixedPrices, maxTerms } from '../../cli/tenants/tenants-set-pricing.ts';
import type { LimitArea } from './row.ts';

export const commandLimits: LimitArea = {
  title: 'Command line',
  rows: [
    {
      what: 'Note of a credit grant',
      limit: { longestNote },
      file: 'infra/cli/tenants/tenants-add-credit.ts',
      unit: 'characters',
      onExceed: 'the command fails',
    },
    {
      what: 'Reason of an adjustment',
      limit: { longestReason },
      file: 'infra/cli/tenants/tenants-adjust.ts',
      unit: 'characters',
      onExceed: 'the command fails',
    },
    {
      what: 'Dated terms of a tenant',
      limit: { maxTerms },
      file: 'infra/cli/tenants/tenants-set-pricing.ts',
      unit: 'count',
      onExceed: 'the command fails',
    },
    {
      what: 'Fixed prices in the terms of a tenant',
      limit: { maxFixedPrices },
      file: 'infra/cli/tenants/tenants-set-pricing.ts',
      unit: 'count',
      onExceed: 'the command fails',
    },
    {
      what: 'Requests per second that a tenant is prepared for',
      limit: { maxThroughput },
      file: 'infra/cli/tenants/set-terms.ts',
      unit: 'count',
      onExceed: 'the command fails',
    },
    {
      what: 'Thresholds of alerts of a tenant',
      limit: { maxThresholds },
      file: 'infra/cli/tenants/set-terms.ts',
      unit: 'count',
      onExceed: 'the command fails',
    },
    {
      what: 'Time for which a replaced key still works',
      limit: { longestOverlap },
      file: 'infra/cli/keys/keys-rotate.ts',
      unit: 'seconds',
      onExceed: 'the command fails',
    },
    {
      what: 'Targets of an alias',
      limit: { maxAliasTargets },
      file: 'infra/cli/catalog/alias-targets.ts',
      unit: 'count',
      onExceed: 'the command fails',
    },
    {
      what: 'File that the catalog is compared with',
      limit: { maxComparedBytes },
      file: 'infra/catalog/compare/read-file.ts',
      unit: 'bytes',
      onExceed: 'the command fails',
    },
    {
      what: 'Models in that file',
      limit: { maxComparedModels },
      file: 'infra/catalog/compare/read-file.ts',
      unit: 'count',
      onExceed: 'the command fails',
    },
    {
      what: 'Wait for a table that is restored',
      limit: { maxWaitSeconds },
      file: 'infra/cli/restore/restore.ts',
      unit: 'seconds',
      onExceed: 'the command fails',
    },
    {
      what: 'Tenants whose last record is looked for in a restored ledger',
      limit: { maxTenants },
      file: 'infra/cli/restore/compare-data.ts',
      unit: 'count',
      onExceed: 'further tenants are not looked at',
    },
  ],
};
