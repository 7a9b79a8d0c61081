/** Every command of the operator. */
import { catalogAdd } from './catalog/catalog-add.ts';
import { catalogListAliases, catalogRemoveAlias } from './catalog/catalog-aliases.ts';
import { catalogCompare } from './catalog/catalog-compare.ts';
import { catalogLint } from './catalog/catalog-lint.ts';
import { catalogList } from './catalog/catalog-list.ts';
import { catalogSetAlias } from './catalog/catalog-set-alias.ts';
import { catalogSetPrice } from './catalog/catalog-set-price.ts';
import { catalogSetStatus } from './catalog/catalog-set-status.ts';
import { catalogShow } from './catalog/catalog-show.ts';
import { catalogPrice } from './catalog/catalog-show-price.ts';
import { catalogSync } from './catalog/catalog-sync.ts';
import { check } from './check/check-command.ts';
import type { Command } from './command.ts';
import { dashboard } from './dashboard.ts';
import { keysCreate, keysDisable, keysList, keysRotate, keysShow } from './keys.ts';
import { limitsCheck } from './limits/limits-check.ts';
import { limitsShow } from './limits/limits-show.ts';
import { membersInvite, membersList, membersRemove } from './members.ts';
import { providersAddHost } from './providers/hosts-add.ts';
import { providersListHosts } from './providers/hosts-list.ts';
import { providersRemoveHost } from './providers/hosts-remove.ts';
import { providersList } from './providers/providers-list.ts';
import { providersSet, providersSetKey } from './providers/providers-set.ts';
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
import { usageClose } from './usage/usage-close.ts';
import { usageExport } from './usage/usage-export.ts';
import { usageInvoice } from './usage/usage-invoice.ts';
import { usageRecompute } from './usage/usage-recompute.ts';
import { usageReconcile } from './usage/usage-reconcile.ts';
import { usageReplay } from './usage/usage-replay.ts';
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
