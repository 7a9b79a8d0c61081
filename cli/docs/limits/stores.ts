/** Bounds of what is stored for a tenant or an operator, and of calls of AWS. */
import { mostAttempts } from '../../../lib/core/accounting/ledger-record.ts';
import { maxShards } from '../../../lib/core/accounting/limits.ts';
import { maxPartitions } from '../../../lib/core/accounting/partitions.ts';
import { operations } from '../../../lib/core/operations.ts';
import { maxScopes } from '../../../lib/metering/stranded/repair-limits.ts';
import { maxAddressLength } from '../../../lib/providers/hosts/host-address.ts';
import { maxRowBytes } from '../../../lib/providers/hosts/operator-hosts.ts';
import { maxStoreWaitMs } from '../../../lib/runtime/provider-access.ts';
import { ledgerLeaseMs, ledgerStopMs } from '../../../lib/runtime/records/ledger-stream-runtime.ts';
import { failurePauseMs, maxParameters } from '../../../lib/runtime/stored-settings.ts';
import { maxGrants } from '../../../lib/stores/access/grant-credit.ts';
import { maxReadMs } from '../../../lib/stores/cached-reader.ts';
import { maxRegions, maxWays } from '../../../lib/stores/catalog/deployment-row.ts';
import { maxAliases, maxOperatorNames } from '../../../lib/stores/catalog/names.ts';
import { giveUpMs } from '../../../lib/stores/streams/follow-shard.ts';
import { maxShardsAtOnce } from '../../../lib/stores/streams/follow-stream.ts';
import { maxShardPages } from '../../../lib/stores/streams/stream-calls.ts';
import { maxStreamBatch } from '../../../lib/stores/usage/stream.ts';
import { maxSearchDays } from '../../../lib/stores/usage/usage.ts';
import { awsTimeouts, localTimeouts, maxAwsBody } from '../../../lib/transport/aws/aws-call.ts';
import { maxPutAnswer, putTimeouts } from '../../../lib/transport/aws/put-object.ts';
import { maxWebhookAnswer } from '../../../lib/transport/webhook-poster.ts';
import type { LimitArea } from './row.ts';

export const storeLimits: LimitArea = {
  title: 'Stores and AWS',
  rows: [
    {
      what: 'Time of a whole request, of the operations that may take longest',
      limit: { operations: Math.max(...operations.map(({ timeoutSeconds }) => timeoutSeconds)) },
      file: 'lib/core/operations.ts',
      unit: 'seconds',
      onExceed: '408 some seconds earlier',
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
      file: 'lib/providers/hosts/operator-hosts.ts',
      unit: 'bytes',
      onExceed: 'the command fails',
    },
    {
      what: 'Address of a host',
      limit: { maxAddressLength },
      file: 'lib/providers/hosts/host-address.ts',
      unit: 'characters',
      onExceed: 'the command fails',
    },
    {
      what: 'Credit grants of a tenant',
      limit: { maxGrants },
      file: 'lib/stores/access/grant-credit.ts',
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
      file: 'lib/runtime/records/ledger-stream-runtime.ts',
      unit: 'ms',
      onExceed: 'another process follows the stream',
    },
    {
      what: 'Time that such a process has for its running batches when it is to stop',
      limit: { ledgerStopMs },
      file: 'lib/runtime/records/ledger-stream-runtime.ts',
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
      file: 'lib/transport/aws/aws-call.ts',
      unit: 'bytes',
      onExceed: 'the call fails',
    },
    {
      what: 'Wait for the first byte of such an answer',
      limit: { awsTimeouts: awsTimeouts.firstByteMs },
      file: 'lib/transport/aws/aws-call.ts',
      unit: 'ms',
      onExceed: 'tried again, twice',
    },
    {
      what: 'The same for the local database',
      limit: { localTimeouts: localTimeouts.firstByteMs },
      file: 'lib/transport/aws/aws-call.ts',
      unit: 'ms',
      onExceed: 'tried again, twice',
    },
    {
      what: 'Wait for S3 to have stored an export',
      limit: { putTimeouts: putTimeouts.firstByteMs },
      file: 'lib/transport/aws/put-object.ts',
      unit: 'ms',
      onExceed: 'the export fails, and is tried again',
    },
    {
      what: 'Answer of S3 to an export',
      limit: { maxPutAnswer },
      file: 'lib/transport/aws/put-object.ts',
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
