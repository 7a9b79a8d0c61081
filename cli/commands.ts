/** Every command of the operator. */

import { catalogListAliases, catalogRemoveAlias, catalogSetAlias } from './catalog/aliases.ts';
import { catalogAdd } from './catalog/catalog-add.ts';
import { catalogCompare } from './catalog/catalog-compare.ts';
import { catalogSetPrice } from './catalog/catalog-set-price.ts';
import { catalogPrice } from './catalog/catalog-show-price.ts';
import { catalogList, catalogSetStatus, catalogShow } from './catalog/rows.ts';
import { catalogLint, catalogSync } from './catalog/seed.ts';
import { check } from './check/check-command.ts';
import type { Command } from './command.ts';
import { dashboard } from './dashboard.ts';
import { keysCreate, keysDisable, keysList, keysRotate, keysShow } from './keys.ts';
import { limitsCheck } from './limits/limits-check.ts';
import { limitsShow } from './limits/limits-show.ts';
import { membersInvite, membersList, membersRemove } from './members.ts';
import { providersAddHost, providersListHosts, providersRemoveHost } from './providers/hosts.ts';
import { providersList, providersSet, providersSetKey } from './providers/providers.ts';
import { restore } from './restore/restore.ts';
import { setup } from './setup.ts';
import {
  keysSetLimits,
  keysSetModels,
  keysSetOperations,
  tenantsActivate,
  tenantsSetAlerts,
  tenantsSetDatabasePolicy,
  tenantsSetLimits,
  tenantsSetModels,
  tenantsSetOperations,
  tenantsSetThroughput,
  tenantsSetUserLimits,
  tenantsSuspend,
} from './tenants/change.ts';
import { tenantsAddCredit, tenantsAdjust, tenantsSetPricing } from './tenants/money.ts';
import { tenantsCreate, tenantsList, tenantsSettleCredit, tenantsShow } from './tenants/tenants.ts';
import { login, logout } from './url/login.ts';
import { usageClose, usageInvoice } from './usage/month.ts';
import { usageExport, usageReplay } from './usage/records.ts';
import { usageRecompute, usageReconcile } from './usage/repair.ts';
import { usageShow } from './usage/usage-show.ts';

export const commands: readonly Command[] = [
  setup,
  check,
  dashboard,
  login,
  logout,
  tenantsCreate,
  tenantsList,
  tenantsShow,
  tenantsSetLimits,
  tenantsSetUserLimits,
  tenantsSetPricing,
  tenantsAddCredit,
  tenantsAdjust,
  tenantsSettleCredit,
  tenantsSetModels,
  tenantsSetOperations,
  tenantsSetAlerts,
  tenantsSetDatabasePolicy,
  tenantsSetThroughput,
  tenantsSuspend,
  tenantsActivate,
  keysCreate,
  keysList,
  keysShow,
  keysSetLimits,
  keysSetModels,
  keysSetOperations,
  keysRotate,
  keysDisable,
  membersInvite,
  membersList,
  membersRemove,
  limitsShow,
  limitsCheck,
  usageShow,
  usageRecompute,
  usageReconcile,
  usageReplay,
  usageExport,
  usageClose,
  usageInvoice,
  catalogList,
  catalogShow,
  catalogPrice,
  catalogSetStatus,
  catalogSetPrice,
  catalogAdd,
  catalogSetAlias,
  catalogListAliases,
  catalogRemoveAlias,
  catalogLint,
  catalogCompare,
  catalogSync,
  providersList,
  providersSet,
  providersSetKey,
  providersAddHost,
  providersListHosts,
  providersRemoveHost,
  restore,
];
