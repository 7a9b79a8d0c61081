/** Bounds of AWS credentials that expire, of Web Functions, and of permissions that are on their way. */

import { permissionMs } from '../../../infra/seed/bounds.ts';
import { maxOriginSecrets, originPermissionMs } from '../../../lib/runtime/admin/origin-secrets.ts';
import {
  credentialsAnswerMs,
  maxCredentialsAnswer,
  maxTokenLength,
} from '../../../lib/runtime/credentials/bounds.ts';
import { refreshBeforeMs, refreshPauseMs } from '../../../lib/runtime/credentials/refreshing.ts';
import { variablesReadMs } from '../../../lib/runtime/credentials.ts';
import { maxWebRunning, maxWebWaiting } from '../../../server/web/serve-web.ts';
import type { LimitArea } from './row.ts';

const bounds = 'lib/runtime/credentials/bounds.ts';
const serveWeb = 'server/web/serve-web.ts';

export const awsLimits: LimitArea = {
  title: 'AWS credentials and Web Functions',
  rows: [
    {
      what: 'Answer with AWS credentials, of a container or of STS',
      limit: { maxCredentialsAnswer },
      file: bounds,
      unit: 'bytes',
      onExceed: 'not used; those before it are, until they expire',
    },
    {
      what: 'Time in which that answer arrives',
      limit: { credentialsAnswerMs },
      file: bounds,
      unit: 'ms',
      onExceed: 'not used; those before it are, until they expire',
    },
    {
      what: 'Token with which a process asks for AWS credentials',
      limit: { maxTokenLength },
      file: bounds,
      unit: 'characters',
      onExceed: 'not sent; those before it are used, until they expire',
    },
    {
      what: 'Time before the end of AWS credentials at which they are refreshed',
      limit: { refreshBeforeMs },
      file: 'lib/runtime/credentials/refreshing.ts',
      unit: 'ms',
      onExceed: 'half of their time, if that is shorter',
    },
    {
      what: 'Pause between two refreshes of AWS credentials',
      limit: { refreshPauseMs },
      file: 'lib/runtime/credentials/refreshing.ts',
      unit: 'ms',
      onExceed: 'those before it are used, until they expire',
    },
    {
      what: 'Time for which AWS credentials of variables are used without a look at the variables',
      limit: { variablesReadMs },
      file: 'lib/runtime/credentials.ts',
      unit: 'ms',
      onExceed: 'the variables are read again',
    },
    {
      what: 'Requests that run in a Web Function, whatever Lambda sends',
      limit: { maxWebRunning },
      file: serveWeb,
      unit: 'count',
      onExceed: '429',
    },
    {
      what: 'Connections of a Web Function that wait for their client',
      limit: { maxWebWaiting },
      file: serveWeb,
      unit: 'count',
      onExceed: 'the one that has waited longest is closed',
    },
    {
      what: 'Origin secrets that a Web Function accepts',
      limit: { maxOriginSecrets },
      file: 'lib/runtime/admin/origin-secrets.ts',
      unit: 'count',
      onExceed: 'it does not start',
    },
    {
      what: 'Time in which the permissions of a new Web Function arrive',
      limit: { originPermissionMs },
      file: 'lib/runtime/admin/origin-secrets.ts',
      unit: 'ms',
      onExceed: 'it does not start; the log has the reason',
    },
    {
      what: 'Time in which the permissions of the function arrive that writes the catalog',
      limit: { permissionMs },
      file: 'infra/seed/bounds.ts',
      unit: 'ms',
      onExceed: 'the deployment fails, with the reason',
    },
  ],
};
