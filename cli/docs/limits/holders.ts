/** Bounds of tenants, keys and the audit log, in the dashboard and on the command line. */
import { maxAuditedValue } from '../../../lib/admin/audit/record-change.ts';
import { maxAuditPage } from '../../../lib/admin/audit/schema.ts';
import {
  maxKeysOfOwner,
  maxKeysOfTenant,
  maxNewKeysOfOwner,
  maxNewKeysOfTenant,
} from '../../../lib/admin/keys/number-of-keys.ts';
import { maxKeyName, maxKeyPage, maxOverlapSeconds, maxOwner } from '../../../lib/admin/keys/schema.ts';
import { maxAllowed, maxModelId } from '../../../lib/admin/tenancy-schema.ts';
import { maxFixedPrices, maxTerms } from '../../../lib/admin/tenants/pricing-schema.ts';
import {
  longestNote,
  longestReason,
  maxClientId,
  maxTenantPage,
  maxThresholds,
  maxThroughput,
  maxWebhookUrl,
} from '../../../lib/admin/tenants/schema.ts';
import { maxEditTries } from '../../../lib/stores/access/edit-item.ts';
import { maxListedKeys } from '../../../lib/stores/access/key-edits.ts';
import { maxListedTenants } from '../../../lib/stores/access/tenant-edits.ts';
import { scanSegments } from '../../../lib/stores/dynamodb/parallel-scan.ts';
import { maxSearchedRecords } from '../../../lib/stores/usage/audit.ts';
import type { LimitArea } from './row.ts';

export const holderLimits: LimitArea = {
  title: 'Tenants, keys and the audit log',
  rows: [
    {
      what: 'Keys of a tenant that work, where a person other than an operator makes one',
      limit: { maxKeysOfTenant },
      file: 'lib/admin/keys/number-of-keys.ts',
      unit: 'count',
      onExceed: '409',
    },
    {
      what: 'The same, of one owner',
      limit: { maxKeysOfOwner },
      file: 'lib/admin/keys/number-of-keys.ts',
      unit: 'count',
      onExceed: '409',
    },
    {
      what: 'Keys that people other than operators make for a tenant in 24 hours, whether they still work or not',
      limit: { maxNewKeysOfTenant },
      file: 'lib/admin/keys/number-of-keys.ts',
      unit: 'count',
      onExceed: '409',
    },
    {
      what: 'The same, of one owner',
      limit: { maxNewKeysOfOwner },
      file: 'lib/admin/keys/number-of-keys.ts',
      unit: 'count',
      onExceed: '409',
    },
    {
      what: 'Note of a credit grant',
      limit: { longestNote },
      file: 'lib/admin/tenants/schema.ts',
      unit: 'characters',
      onExceed: '400; the command fails',
    },
    {
      what: 'Reason of an adjustment',
      limit: { longestReason },
      file: 'lib/admin/tenants/schema.ts',
      unit: 'characters',
      onExceed: '400; the command fails',
    },
    {
      what: 'Id that a client chooses for a grant or an adjustment',
      limit: { maxClientId },
      file: 'lib/admin/tenants/schema.ts',
      unit: 'characters',
      onExceed: '400',
    },
    {
      what: 'Dated terms of a tenant',
      limit: { maxTerms },
      file: 'lib/admin/tenants/pricing-schema.ts',
      unit: 'count',
      onExceed: '400; the command fails',
    },
    {
      what: 'Fixed prices in the terms of a tenant',
      limit: { maxFixedPrices },
      file: 'lib/admin/tenants/pricing-schema.ts',
      unit: 'count',
      onExceed: '400; the command fails',
    },
    {
      what: 'Requests per second that a tenant is prepared for',
      limit: { maxThroughput },
      file: 'lib/admin/tenants/schema.ts',
      unit: 'count',
      onExceed: '400; the command fails',
    },
    {
      what: 'Thresholds of alerts of a tenant',
      limit: { maxThresholds },
      file: 'lib/admin/tenants/schema.ts',
      unit: 'count',
      onExceed: '400; the command fails',
    },
    {
      what: 'URL of a webhook',
      limit: { maxWebhookUrl },
      file: 'lib/admin/tenants/schema.ts',
      unit: 'characters',
      onExceed: '400; the command fails',
    },
    {
      what: 'Time for which a replaced key still works',
      limit: { maxOverlapSeconds },
      file: 'lib/admin/keys/schema.ts',
      unit: 'seconds',
      onExceed: '400; the command fails',
    },
    {
      what: 'Description of a key',
      limit: { maxKeyName },
      file: 'lib/admin/keys/schema.ts',
      unit: 'characters',
      onExceed: '400',
    },
    {
      what: 'Id of the owner of a key',
      limit: { maxOwner },
      file: 'lib/admin/keys/schema.ts',
      unit: 'characters',
      onExceed: '400',
    },
    {
      what: 'Models or operations that a tenant or a key is restricted to',
      limit: { maxAllowed },
      file: 'lib/admin/tenancy-schema.ts',
      unit: 'count',
      onExceed: '400',
    },
    {
      what: 'Id of a model in such a list',
      limit: { maxModelId },
      file: 'lib/admin/tenancy-schema.ts',
      unit: 'characters',
      onExceed: '400',
    },
    {
      what: 'Keys of one page',
      limit: { maxKeyPage },
      file: 'lib/admin/keys/schema.ts',
      unit: 'count',
      onExceed: '400',
    },
    {
      what: 'Tenants or adjustments of one page',
      limit: { maxTenantPage },
      file: 'lib/admin/tenants/schema.ts',
      unit: 'count',
      onExceed: '400',
    },
    {
      what: 'Keys that one list reads',
      limit: { maxListedKeys },
      file: 'lib/stores/access/key-edits.ts',
      unit: 'count',
      onExceed: '400, which asks for one tenant',
    },
    {
      what: 'Tenants that one list reads',
      limit: { maxListedTenants },
      file: 'lib/stores/access/tenant-edits.ts',
      unit: 'count',
      onExceed: '400',
    },
    {
      what: 'Parts of the table that a list reads at the same time',
      limit: { scanSegments },
      file: 'lib/stores/dynamodb/parallel-scan.ts',
      unit: 'count',
      onExceed: 'the rest waits',
    },
    {
      what: 'Tries of a change while others change the same',
      limit: { maxEditTries },
      file: 'lib/stores/access/edit-item.ts',
      unit: 'count',
      onExceed: '409 `conflict`',
    },
    {
      what: 'Records of the audit log of one page',
      limit: { maxAuditPage },
      file: 'lib/admin/audit/schema.ts',
      unit: 'count',
      onExceed: '400',
    },
    {
      what: 'Records of the audit log that one page looks at',
      limit: { maxSearchedRecords },
      file: 'lib/stores/usage/audit.ts',
      unit: 'count',
      onExceed: 'the page ends, and the next one goes on',
    },
    {
      what: 'One value in a record of the audit log, as JSON',
      limit: { maxAuditedValue },
      file: 'lib/admin/audit/record-change.ts',
      unit: 'characters',
      onExceed: 'it is shortened',
    },
  ],
};
