/** Writes the audit record of a change that was made: only the fields that differ, never a secret, and never more than fits. */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { AuditAuthor, AuditedFields, AuditLog } from '../../core/accounting/audit.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import { isJsonObject } from '../../core/formats/json-object.ts';

export interface AuditParts {
  readonly audit: Pick<AuditLog, 'write'>;
  /** The time in milliseconds. */
  readonly now: () => number;
}

interface Change {
  /** Absent: no tenant's. */
  readonly tenant?: string | undefined;
  /** The id of what was changed. */
  readonly target: string;
  /** What people may see of it; absent: there was nothing. */
  readonly before?: object | undefined;
  /** Absent: there is nothing any more. */
  readonly after?: object | undefined;
  /** Of a change that may be repeated: its own id and time, so that it has one record. */
  readonly once?: { readonly id: string; readonly at: number } | undefined;
}

/** Characters of one value of a record, as JSON. */
const maxAuditedValue = 1_000;

/** Characters of the name of a user. */
const maxUserName = 200;

/**
 * Call it when the change is made. Nothing is written if nothing differs. Rejects if the record cannot be written. `action`: such as
 * `keys.create`.
 */
export async function recordChange(
  { audit, now }: AuditParts,
  by: AuditAuthor,
  action: string,
  change: Change,
): Promise<void> {
  const { tenant, target, once = { id: randomUUID(), at: now() } } = change;
  const difference = differenceOf(fieldsOf(change.before), fieldsOf(change.after));
  if (!difference) return;
  const { id, name, role, via } = by;
  const record = {
    ...once,
    by: { id: id.slice(0, maxUserName), name: name.slice(0, maxUserName), role, via },
    action,
    ...(tenant !== undefined && { tenant }),
    target,
    ...difference,
  };
  await audit.write(record).catch((cause) => {
    throw new GatewayError(
      'internal',
      'The change was made, but it could not be recorded in the audit log. Look at what is there now before you repeat it.',
      { cause },
    );
  });
}

type Fields = ReadonlyMap<string, unknown>;

/** The members of a member have names such as `limits.credit_usd`. Null is as good as absent. */
function fieldsOf(value: object | undefined): Fields | undefined {
  if (!value) return undefined;
  const fields = Object.entries(value).flatMap(([name, member]) =>
    isJsonObject(member)
      ? Object.entries(member).map(([inner, part]) => [`${name}.${inner}`, part] as const)
      : [[name, member] as const],
  );
  return new Map(fields.filter(([, member]) => member !== null && member !== undefined));
}

interface Difference {
  readonly before?: AuditedFields;
  readonly after?: AuditedFields;
}

/** The fields that differ, on both sides; null where one side has none. Undefined: nothing differs. */
function differenceOf(before: Fields | undefined, after: Fields | undefined): Difference | undefined {
  const names = [...new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])])];
  const different = names.filter((name) => !isDeepStrictEqual(before?.get(name), after?.get(name)));
  if (different.length === 0) return undefined;
  const pick = (fields: Fields) =>
    Object.fromEntries(different.map((name) => [name, shortened(fields.get(name) ?? null)]));
  return { ...(before && { before: pick(before) }), ...(after && { after: pick(after) }) };
}

function shortened(value: unknown): unknown {
  const text = JSON.stringify(value);
  return text.length <= maxAuditedValue
    ? value
    : `${text.slice(0, maxAuditedValue)}… (${text.length} characters)`;
}
