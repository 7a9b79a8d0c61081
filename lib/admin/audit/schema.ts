/** The audit log as the admin API shows it: who changed what, and what it was before. Never a secret. */
import * as z from 'zod/mini';
import { cursor, listOf, pageLimit } from '../list-schema.ts';
import { tenantName } from '../tenancy-schema.ts';

/** Records of one page. */
const maxAuditPage = 200;
export const defaultAuditPage = 50;

/** Characters of an action and of the id of a user. */
const maxAction = 64;
const maxPerson = 128;

/** Newest first. Filters are exact. */
export const auditListQuery = z.strictObject({
  limit: pageLimit(maxAuditPage),
  after: cursor(),
  tenant: z.optional(tenantName()),
  /** The id of the user who made the change. */
  person: z.optional(z.string().check(z.maxLength(maxPerson))),
  /** Such as `keys.create`. */
  action: z.optional(z.string().check(z.maxLength(maxAction))),
  /** Only changes before this time. */
  before: z.optional(z.coerce.number().check(z.int(), z.gte(0), z.lte(253_402_300_799))),
});

export const auditSchema = z.object({
  object: z.literal('audit_record'),
  id: z.string(),
  /** When the change was made. */
  created_at: z.int(),
  by: z.object({
    id: z.string(),
    name: z.string(),
    role: z.string(),
    /** How the user came in: `oidc`, `address`, `key`, `management_key`, or `command` for the command line on the tables. */
    via: z.string(),
  }),
  /** Such as `keys.create`. */
  action: z.string(),
  /** Null: no tenant's. */
  tenant: z.nullable(z.string()),
  /** The id of what was changed. */
  target: z.string(),
  /** Only the fields that changed; null: there was nothing, or there is nothing any more. */
  before: z.nullable(z.record(z.string(), z.unknown())),
  after: z.nullable(z.record(z.string(), z.unknown())),
});

/** `has_more` is true also where the search stopped before its end: a page may be empty and have more. */
export const auditListAnswer = z.object({
  ...listOf(auditSchema).shape,
  /** Until where was searched: every record after this time was looked at; null: all. */
  searched_to: z.nullable(z.int()),
});

export type AuditListQuery = z.infer<typeof auditListQuery>;
export type AuditRow = z.infer<typeof auditSchema>;
export type AuditListAnswer = z.infer<typeof auditListAnswer>;
