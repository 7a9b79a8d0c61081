/** The audit log: who changed what, with what it was before and is after. Records are never changed or removed, and have no secrets. */

export interface AuditAuthor {
  /** The id of a user, or the name of the user of the command line. */
  readonly id: string;
  /** For people. */
  readonly name: string;
  readonly role: string;
  /** How the user came in; `command`: the command line on the tables. */
  readonly via: string;
}

/** The public fields that changed. */
export type AuditedFields = Readonly<Record<string, unknown>>;

export interface AuditRecord {
  readonly id: string;
  /** When the change was made, in Unix milliseconds. */
  readonly at: number;
  readonly by: AuditAuthor;
  /** Such as `keys.create`. */
  readonly action: string;
  /** Absent: no tenant's. */
  readonly tenant?: string;
  /** The id of what was changed. */
  readonly target: string;
  /** Absent: there was nothing. */
  readonly before?: AuditedFields;
  /** Absent: there is nothing any more. */
  readonly after?: AuditedFields;
}

export interface AuditQuestion {
  readonly tenant?: string | undefined;
  /** The id of a user. */
  readonly person?: string | undefined;
  readonly action?: string | undefined;
  /** The position after which to go on: `next` of the page before. */
  readonly after?: string | undefined;
  /** Only records before this time, in Unix milliseconds. */
  readonly before?: number | undefined;
  /** The maximum number of records. */
  readonly limit: number;
}

export interface AuditPage {
  /** Newest first. */
  readonly records: readonly AuditRecord[];
  /** Absent: there are no older ones. */
  readonly next?: string;
  /** Every record after this time was looked at, in Unix milliseconds; absent: all were. */
  readonly searchedTo?: number;
}

export interface AuditLog {
  /** Rejects with GatewayError if the record cannot be written. One with this id and time is kept as it is. */
  write(record: AuditRecord): Promise<void>;
  /** Bounded: it may stop before there are `limit` records. Rejects with GatewayError `invalid_request` for a wrong position. */
  list(question: AuditQuestion): Promise<AuditPage>;
}
