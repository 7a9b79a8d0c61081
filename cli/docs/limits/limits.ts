/** Every bound of the gateway, by area: the table behind `docs/limits.md`. */
import { accountingLimits } from './accounting.ts';
import { awsLimits } from './aws.ts';
import { callLimits } from './calls.ts';
import { commandLimits } from './commands.ts';
import { conversationLimits } from './conversations.ts';
import { dashboardLimits } from './dashboard.ts';
import { fieldLimits } from './fields.ts';
import { holderLimits } from './holders.ts';
import { hostLimits } from './host.ts';
import { logLimits } from './logs.ts';
import { mediaLimits } from './media.ts';
import { providerLimits } from './providers.ts';
import { queryLimits } from './queries.ts';
import { rememberedLimits } from './remembered.ts';
import { requestLimits } from './requests.ts';
import type { LimitArea } from './row.ts';
import { signInLimits } from './sign-in.ts';
import { stackLimits } from './stack.ts';
import { storeLimits } from './stores.ts';
import { telemetryLimits } from './telemetry.ts';

import { usageSumLimits } from './usage-sums.ts';

export const limitAreas: readonly LimitArea[] = [
  requestLimits,
  fieldLimits,
  queryLimits,
  mediaLimits,
  conversationLimits,
  callLimits,
  providerLimits,
  accountingLimits,
  logLimits,
  telemetryLimits,
  signInLimits,
  dashboardLimits,
  usageSumLimits,
  holderLimits,
  rememberedLimits,
  storeLimits,
  hostLimits,
  stackLimits,
  awsLimits,
  commandLimits,
];
