/** Bounds of what a process remembers. */
import { maxSweptTenants } from '../../../lib/metering/aggregate/sweep.ts';
import { maxKnownAlerts } from '../../../lib/metering/alerts/alerts.ts';
import { maxFollowedTenants } from '../../../lib/metering/credit/follow-credit.ts';
import { maxKnownScopes } from '../../../lib/metering/stranded/repair-limits.ts';
import { maxTokens } from '../../../lib/providers/google-vertex/token.ts';
import { maxFailedTargets } from '../../../lib/routing/health.ts';
import { maxAlertedTenants } from '../../../lib/runtime/records/alerts-runtime.ts';
import { maxNotedKeys } from '../../../lib/stores/access/note-key-use.ts';
import { maxCachedModels } from '../../../lib/stores/catalog/catalog.ts';
import { maxCachedHosts } from '../../../lib/stores/catalog/hosts.ts';
import { rememberedScopes } from '../../../lib/stores/limits/limits.ts';
import { rememberedShards } from '../../../lib/stores/limits/shards/shards.ts';
import { maxSharedNotes } from '../../../lib/stores/shared-cache.ts';
import { maxCachedTenants } from '../../../lib/stores/usage/partitions.ts';
import type { LimitArea } from './row.ts';

export const rememberedLimits: LimitArea = {
  title: 'What a process remembers',
  rows: [
    {
      what: 'Rows of models that a process remembers, for a minute',
      limit: { maxCachedModels },
      file: 'lib/stores/catalog/catalog.ts',
      unit: 'count',
      onExceed: 'the one used longest ago is read again',
    },
    {
      what: 'Rows of hosts that it remembers, for a minute',
      limit: { maxCachedHosts },
      file: 'lib/stores/catalog/hosts.ts',
      unit: 'count',
      onExceed: 'the one used longest ago is read again',
    },
    {
      what: 'Tenants whose expected traffic it remembers',
      limit: { maxCachedTenants },
      file: 'lib/stores/usage/partitions.ts',
      unit: 'count',
      onExceed: 'the one used longest ago is read again',
    },
    {
      what: 'Scopes of limits that it remembers',
      limit: { rememberedScopes },
      file: 'lib/stores/limits/limits.ts',
      unit: 'count',
      onExceed: 'the one used longest ago is read again',
    },
    {
      what: 'Shards of limits that it remembers',
      limit: { rememberedShards },
      file: 'lib/stores/limits/shards/shards.ts',
      unit: 'count',
      onExceed: 'the one used longest ago is read again',
    },
    {
      what: 'Targets whose failures it remembers',
      limit: { maxFailedTargets },
      file: 'lib/routing/health.ts',
      unit: 'count',
      onExceed: 'all of them are forgotten',
    },
    {
      what: 'Service accounts whose token it remembers',
      limit: { maxTokens },
      file: 'lib/providers/google-vertex/token.ts',
      unit: 'count',
      onExceed: 'all of them are exchanged again',
    },
    {
      what: 'Tenants whose interrupted requests the aggregator has just looked for',
      limit: { maxSweptTenants },
      file: 'lib/metering/aggregate/sweep.ts',
      unit: 'count',
      onExceed: 'all of them are forgotten',
    },
    {
      what: 'Tenants whose credit it has just allocated',
      limit: { maxFollowedTenants },
      file: 'lib/metering/credit/follow-credit.ts',
      unit: 'count',
      onExceed: 'all of them are read again',
    },
    {
      what: 'Scopes whose stranded use it has just looked for',
      limit: { maxKnownScopes },
      file: 'lib/metering/stranded/repair-limits.ts',
      unit: 'count',
      onExceed: 'all of them are forgotten',
    },
    {
      what: 'Alerts that it knows to be raised',
      limit: { maxKnownAlerts },
      file: 'lib/metering/alerts/alerts.ts',
      unit: 'count',
      onExceed: 'all of them are forgotten',
    },
    {
      what: 'Tenants whose terms for alerts it remembers, for a minute',
      limit: { maxAlertedTenants },
      file: 'lib/runtime/records/alerts-runtime.ts',
      unit: 'count',
      onExceed: 'the one used longest ago is read again',
    },
    {
      what: 'Keys whose last use it has noted',
      limit: { maxNotedKeys },
      file: 'lib/stores/access/note-key-use.ts',
      unit: 'count',
      onExceed: 'the one used longest ago is noted again',
    },
    {
      what: 'Entries of the shared cache that it remembers',
      limit: { maxSharedNotes },
      file: 'lib/stores/shared-cache.ts',
      unit: 'count',
      onExceed: 'the one used longest ago is read again',
    },
  ],
};
