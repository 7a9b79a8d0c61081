/** Bounds of what an operator gives the command line. */
import { maxComparedBytes, maxComparedModels } from '../../catalog/compare/read-file.ts';
import { maxAliasTargets } from '../../cli/catalog/alias-targets.ts';
import { maxTenants } from '../../cli/restore/compare-data.ts';
import { maxWaitSeconds } from '../../cli/restore/restore.ts';
import { signInMs } from '../../cli/url/loopback.ts';
import { maxAnswerBytes, operationTimeoutMs } from '../../cli/url/send-admin.ts';
import type { LimitArea } from './row.ts';

export const commandLimits: LimitArea = {
  title: 'Command line',
  rows: [
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
    {
      what: 'Answer of a gateway (`--url`)',
      limit: { maxAnswerBytes },
      file: 'infra/cli/url/send-admin.ts',
      unit: 'bytes',
      onExceed: 'the command fails',
    },
    {
      what: 'Time of an operation (`--url`)',
      limit: { operationTimeoutMs },
      file: 'infra/cli/url/send-admin.ts',
      unit: 'ms',
      onExceed: 'the command fails',
    },
    {
      what: 'Time to sign in in the browser (`login`)',
      limit: { signInMs },
      file: 'infra/cli/url/loopback.ts',
      unit: 'ms',
      onExceed: 'the command fails',
    },
  ],
};
