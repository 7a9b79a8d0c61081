/** Every command of the operator, those with the same first word together. */
import { batchCommands } from './batches.ts';
import { aliasCommands } from './catalog/aliases.ts';
import { catalogAdd } from './catalog/catalog-add.ts';
import { catalogCompare } from './catalog/catalog-compare.ts';
import { catalogSetPrice } from './catalog/catalog-set-price.ts';
import { catalogPrice } from './catalog/catalog-show-price.ts';
import { rowCommands } from './catalog/rows.ts';
import { seedCommands } from './catalog/seed.ts';
import { check } from './check/check-command.ts';
import type { Command } from './command.ts';
import { dashboard } from './dashboard.ts';
import { keyCommands } from './keys.ts';
import { limitsCheck } from './limits/limits-check.ts';
import { limitsShow } from './limits/limits-show.ts';
import { managementKeyCommands } from './management-keys.ts';
import { memberCommands } from './members.ts';
import { providerDataCommands } from './providers/data.ts';
import { hostCommands } from './providers/hosts.ts';
import { providerCommands } from './providers/providers.ts';
import { responseCommands } from './responses.ts';
import { restore } from './restore/restore.ts';
import { setup } from './setup.ts';
import { keyChanges, tenantChanges } from './tenants/change.ts';
import { guardrailCommands } from './tenants/guardrails.ts';
import { moneyCommands } from './tenants/money.ts';
import { ownKeyCommands } from './tenants/own-keys.ts';
import { tenantCommands } from './tenants/tenants.ts';
import { webhookCommands } from './tenants/webhooks.ts';
import { signInCommands } from './url/login.ts';
import { monthCommands } from './usage/month.ts';
import { recordCommands } from './usage/records.ts';
import { repairCommands } from './usage/repair.ts';
import { usageShow } from './usage/usage-show.ts';

export const commands: readonly Command[] = [
  setup,
  check,
  dashboard,
  ...signInCommands,
  ...tenantCommands,
  ...webhookCommands,
  ...ownKeyCommands,
  ...guardrailCommands,
  ...tenantChanges,
  ...moneyCommands,
  ...keyCommands,
  ...keyChanges,
  ...memberCommands,
  ...managementKeyCommands,
  ...responseCommands,
  ...batchCommands,
  limitsShow,
  limitsCheck,
  usageShow,
  ...repairCommands,
  ...recordCommands,
  ...monthCommands,
  ...rowCommands,
  catalogPrice,
  catalogSetPrice,
  catalogAdd,
  ...aliasCommands,
  ...seedCommands,
  catalogCompare,
  ...providerCommands,
  ...providerDataCommands,
  ...hostCommands,
  restore,
];
