/** Bounds of what an operator gives the command line. */

import { maxAliasTargets } from '../../catalog/alias-targets.ts';
import { maxComparedBytes, maxComparedModels } from '../../catalog/compare/read-file.ts';
import { maxTenants } from '../../restore/compare-data.ts';
import { maxWaitSeconds } from '../../restore/restore.ts';
import { signInMs } from '../../url/loopback.ts';
import { maxAnswerBytes, operationTimeoutMs } from '../../url/send-admin.ts';
import type { LimitArea } from './row.ts';

export const commandLimits: LimitArea = {
  title: 'Command line',
  rows: [
    {
      what: 'Targets of an alias',
      limit: { maxAliasTargets },
      file: 'cli/catalog/alias-targets.ts',
      unit: 'count',
      onExceed: 'the command fails',
    },
    {
      what: 'File that the catalog is compared with',
      limit: { maxComparedBytes },
      file: 'cli/catalog/compare/read-file.ts',
      unit: 'bytes',
      onExceed: 'the command fails',
    },
    {
      what: 'Models in that file',
      limit: { maxComparedModels },
      file: 'cli/catalog/compare/read-file.ts',
      unit: 'count',
      onExceed: 'the command fails',
    },
    {
      what: 'Wait for a table that is restored',
      limit: { maxWaitSeconds },
      file: 'cli/restore/restore.ts',
      unit: 'seconds',
      onExceed: 'the command fails',
    },
    {
      what: 'Tenants whose last record is looked for in a restored ledger',
      limit: { maxTenants },
      file: 'cli/restore/compare-data.ts',
      unit: 'count',
      onExceed: 'further tenants are not looked at',
    },
    {
      what: 'Answer of a gateway (`--url`)',
      limit: { maxAnswerBytes },
      file: 'cli/url/send-admin.ts',
      unit: 'bytes',
      onExceed: 'the command fails',
    },
    {
      what: 'Time of an operation (`--url`)',
      limit: { operationTimeoutMs },
      file: 'cli/url/send-admin.ts',
      unit: 'ms',
      onExceed: 'the command fails',
    },
    {
      what: 'Time to sign in in the browser (`login`)',
      limit: { signInMs },
      file: 'cli/url/loopback.ts',
      unit: 'ms',
      onExceed: 'the command fails',
    },
  ],
};
