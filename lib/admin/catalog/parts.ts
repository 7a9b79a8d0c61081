/** What the operations on an operator's hosts, models and aliases have in common. */
import { GatewayError } from '../../core/errors/errors.ts';
import { isJsonObject } from '../../core/formats/json-object.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import type { CatalogStore } from '../../stores/catalog/catalog.ts';
import type { HostStore } from '../../stores/catalog/hosts.ts';
import type { AuditParts } from '../audit/record-change.ts';
import { absent, etagOf } from '../etag.ts';
import { refusalOf } from '../reach.ts';

export interface CatalogParts extends AuditParts {
  readonly models: CatalogStore;
  readonly hosts: HostStore;
}

/** The tag of a row, or of its absence. The database does not keep the order of members. */
export const tagOf = (known: { readonly row: unknown; readonly source: string } | undefined): string =>
  known ? etagOf([known.source, sorted(known.row)]) : absent;

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const names = Object.keys(value).toSorted();
  return names.map((name) => [name, sorted(value[name])]);
}

export const rowOf = (row: unknown): JsonObject | null => (isJsonObject(row) ? row : null);

/** Every fault is in the message, and the field of the first one is the parameter. */
export function refuseRow(faults: readonly string[]): GatewayError {
  const [, field] = /^([\w.]+):/.exec(faults[0] ?? '') ?? [];
  return refusalOf(field === undefined || field === 'row' ? 'row' : `row.${field}`, faults.join('; '));
}

export const changedMeanwhile = (what: string): GatewayError =>
  new GatewayError('conflict', `${what} was changed at the same time. Look at it and try again.`);
