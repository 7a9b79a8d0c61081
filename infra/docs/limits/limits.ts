/** Every bound of the gateway, by area: the table behind `docs/limits.md`. */
import { accountingLimits } from './accounting.ts';
import { callLimits } from './calls.ts';
import { conversationLimits } from './conversations.ts';
import { hostLimits } from './host.ts';
import { logLimits } from './logs.ts';
import { mediaLimits } from './media.ts';
import { providerLimits } from './providers.ts';
import { requestLimits } from './requests.ts';
import type { LimitArea } from './row.ts';

export const limitAreas: readonly LimitArea[] = [
  requestLimits,
  mediaLimits,
  conversationLimits,
  callLimits,
  providerLimits,
  accountingLimits,
  logLimits,
  hostLimits,
];
