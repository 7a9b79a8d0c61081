/** Bounds of what a process remembers, of what is stored for a tenant or an operator, and of calls of AWS. */
import { mostAttempts } from '../../../lib/core/accounting/ledger-record.ts';
import { maxShards } from '../../../lib/core/accounting/limits.ts';
import { maxPartitions } from '../../../lib/core/accounting/partitions.ts';
import { operations } from '../../../lib/core/operations.ts';
import { maxSweptTenants } from '../../../lib/metering/aggregate/sweep.ts';
import { maxKnownAlerts } from '../../../lib/metering/alerts/alerts.ts';
import { maxFollowedTenants } from '../../../lib/metering/credit/follow-credit.ts';
import { maxKnownScopes, maxScopes } from '../../../lib/metering/stranded/repair-limits.ts';
import { maxTokens } from '../../../lib/providers/google-vertex/token.ts';
import { maxAddressLength } from '../../../lib/providers/host-address.ts';
import { maxRowBytes } from '../../../lib/providers/operator-hosts.ts';
import { maxFailedTargets } from '../../../lib/routing/health.ts';
import { maxAlertedTenants } from '../../../lib/runtime/alerts-runtime.ts';
import { ledgerLeaseMs, ledgerStopMs } from '../../../lib/runtime/ledger-stream-runtime.ts';
import { maxStoreWaitMs } from '../../../lib/runtime/provider-access.ts';
import { failurePauseMs, maxParameters } from '../../../lib/runtime/stored-settings.ts';
import { maxNotedKeys } from '../../../lib/stores/access/note-key-use.ts';
import { maxGrants } from '../../../lib/stores/access/tenants.ts';
import { maxReadMs } from '../../../lib/stores/cached-reader.ts';
import { maxCachedModels } from '../../../lib/stores/catalog/catalog.ts';
import { maxRegions, maxWays } from '../../../lib/stores/catalog/deployment-row.ts';
import { maxCachedHosts } from '../../../lib/stores/catalog/hosts.ts';
import { maxAliases, maxOperatorNames } from '../../../lib/stores/catalog/names.ts';
import { rememberedScopes } from '../../../lib/stores/limits/limits.ts';
import { rememberedShards } from '../../../lib/stores/limits/shards.ts';
import { maxSharedNotes } from '../../../lib/stores/shared-cache.ts';
import { giveUpMs } from '../../../lib/stores/streams/follow-shard.ts';
import { maxShardsAtOnce } from '../../../lib/stores/streams/follow-stream.ts';
import { maxShardPages } from '../../../lib/stores/streams/stream-calls.ts';
import { maxCachedTenants } from '../../../lib/stores/usage/partitions.ts';
import { maxStreamBatch } from '../../../lib/stores/usage/stream.ts';
import { maxSearchDays } from '../../../lib/stores/usage/usage.ts';
import { awsTimeouts, localTimeouts, maxAwsBody } from '../../../lib/transport/aws-call.ts';
import { maxPutAnswer, putTimeouts } from '../../../lib/transport/put-object.ts';
import { maxWebhookAnswer } from '../../../lib/transport/webhook-poster.ts';
import type { LimitArea } from './row.ts';

export const storeLimits: LimitArea = {
  title: 'Caches, stores and AWS',
  rows: [
    {
      what: 'Time of a whole request, of the operations that may take longest',
      limit: { operations: Math.max(...operations.map(({ timeoutSeconds }) => timeoutSeconds)) },
      file: 'lib/core/operations.ts',
      unit: 'seconds',
      onExceed: '408 some seconds earlier',
    },
    {
      what: 'Rows of models that a process remembers, for a minute',
      limit: { maxCachedModels },
      file: 'lib/stores/catalog/catalog.ts',
      unit: 'count',
      onExceed: 'the one used longest ago is read again',
    },
    {
      what: 'Ways to a place in a row of the catalog',
      limit: { maxWays },
      file: 'lib/stores/catalog/deployment-row.ts',
      unit: 'count',
      onExceed: 'the row is not written',
    },
    {
      what: 'Regions and areas of a place or a way',
      limit: { maxRegions },
      file: 'lib/stores/catalog/deployment-row.ts',
      unit: 'count',
      onExceed: 'the row is not written',
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
      file: 'lib/stores/limits/shards.ts',
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
      file: 'lib/runtime/alerts-runtime.ts',
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
    {
      what: 'Settings of providers in the parameter store',
      limit: { maxParameters },
      file: 'lib/runtime/stored-settings.ts',
      unit: 'count',
      onExceed: 'none is read: those read before are used, or error 500 `provider_credentials`',
    },
    {
      what: 'Pause after a first read of the parameter store that failed',
      limit: { failurePauseMs },
      file: 'lib/runtime/stored-settings.ts',
      unit: 'ms',
      onExceed: 'it is read again; until then error 500 `provider_credentials`',
    },
    {
      what: 'Wait for the parameter store where a signature is enough',
      limit: { maxStoreWaitMs },
      file: 'lib/runtime/provider-access.ts',
      unit: 'ms',
      onExceed: 'the request is signed',
    },
    {
      what: 'Read of the database where an older value can be used instead',
      limit: { maxReadMs },
      file: 'lib/stores/cached-reader.ts',
      unit: 'ms',
      onExceed: 'the older value is used',
    },
    {
      what: 'Names of the models of an operator',
      limit: { maxOperatorNames },
      file: 'lib/stores/catalog/names.ts',
      unit: 'count',
      onExceed: 'the command fails',
    },
    {
      what: 'Aliases',
      limit: { maxAliases },
      file: 'lib/stores/catalog/names.ts',
      unit: 'count',
      onExceed: 'the command fails',
    },
    {
      what: 'Row of a host in the catalog, as JSON',
      limit: { maxRowBytes },
      file: 'lib/providers/operator-hosts.ts',
      unit: 'bytes',
      onExceed: 'the command fails',
    },
    {
      what: 'Address of a host',
      limit: { maxAddressLength },
      file: 'lib/providers/host-address.ts',
      unit: 'characters',
      onExceed: 'the command fails',
    },
    {
      what: 'Credit grants of a tenant',
      limit: { maxGrants },
      file: 'lib/stores/access/tenants.ts',
      unit: 'count',
      onExceed: 'the command fails',
    },
    {
      what: 'Items of the database that count one scope of limits',
      limit: { maxShards },
      file: 'lib/core/accounting/limits.ts',
      unit: 'count',
      onExceed: 'no further ones',
    },
    {
      what: 'Partitions of a day of the ledger of a tenant',
      limit: { maxPartitions },
      file: 'lib/core/accounting/partitions.ts',
      unit: 'count',
      onExceed: 'no further ones',
    },
    {
      what: 'Attempts that a record of the ledger of the older form is read with',
      limit: { mostAttempts },
      file: 'lib/core/accounting/ledger-record.ts',
      unit: 'count',
      onExceed: 'further ones are left out',
    },
    {
      what: 'Days back that a record is searched for, unless records are kept for longer',
      limit: { maxSearchDays },
      file: 'lib/stores/usage/usage.ts',
      unit: 'count',
      onExceed: 'not found',
    },
    {
      what: 'Changes of the ledger that the aggregator gets at a time',
      limit: { maxStreamBatch },
      file: 'lib/stores/usage/stream.ts',
      unit: 'count',
      onExceed: 'the next batch',
    },
    {
      what: 'Shards of the stream that the aggregator of a container processes at a time',
      limit: { maxShardsAtOnce },
      file: 'lib/stores/streams/follow-stream.ts',
      unit: 'count',
      onExceed: 'further ones wait',
    },
    {
      what: 'Pages of shards that it reads of a stream',
      limit: { maxShardPages },
      file: 'lib/stores/streams/stream-calls.ts',
      unit: 'count',
      onExceed: 'an error in the log; tried again',
    },
    {
      what: 'For how long it tries again to process a change that fails by itself',
      limit: { giveUpMs },
      file: 'lib/stores/streams/follow-shard.ts',
      unit: 'ms',
      onExceed: 'left out, with an error in the log',
    },
    {
      what: 'After which another process takes over from one that stopped without a word',
      limit: { ledgerLeaseMs },
      file: 'lib/runtime/ledger-stream-runtime.ts',
      unit: 'ms',
      onExceed: 'another process follows the stream',
    },
    {
      what: 'Time that such a process has for its running batches when it is to stop',
      limit: { ledgerStopMs },
      file: 'lib/runtime/ledger-stream-runtime.ts',
      unit: 'ms',
      onExceed: 'they are cut off; their changes come again, and count once',
    },
    {
      what: 'Scopes that a batch of the aggregator repairs',
      limit: { maxScopes },
      file: 'lib/metering/stranded/repair-limits.ts',
      unit: 'count',
      onExceed: 'a later batch',
    },
    {
      what: 'Answer of DynamoDB, SSM or another service of AWS',
      limit: { maxAwsBody },
      file: 'lib/transport/aws-call.ts',
      unit: 'bytes',
      onExceed: 'the call fails',
    },
    {
      what: 'Wait for the first byte of such an answer',
      limit: { awsTimeouts: awsTimeouts.firstByteMs },
      file: 'lib/transport/aws-call.ts',
      unit: 'ms',
      onExceed: 'tried again, twice',
    },
    {
      what: 'The same for the local database',
      limit: { localTimeouts: localTimeouts.firstByteMs },
      file: 'lib/transport/aws-call.ts',
      unit: 'ms',
      onExceed: 'tried again, twice',
    },
    {
      what: 'Wait for S3 to have stored an export',
      limit: { putTimeouts: putTimeouts.firstByteMs },
      file: 'lib/transport/put-object.ts',
      unit: 'ms',
      onExceed: 'the export fails, and is tried again',
    },
    {
      what: 'Answer of S3 to an export',
      limit: { maxPutAnswer },
      file: 'lib/transport/put-object.ts',
      unit: 'bytes',
      onExceed: 'the export fails, and is tried again',
    },
    {
      what: 'Answer of a webhook',
      limit: { maxWebhookAnswer },
      file: 'lib/transport/webhook-poster.ts',
      unit: 'bytes',
      onExceed: 'tried again, twice',
    },
  ],
};
