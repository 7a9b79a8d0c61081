/** Goes through a caller's `native_fields` by the list of a protocol: which parameters they mean, and what is sent as it is. */

import type { GatewayError } from '../../../core/errors/errors.ts';
import { invalid } from '../../../core/errors/invalid.ts';
import { isJsonObject } from '../../../core/formats/json-object.ts';
import {
  isOwnField,
  type NativeField,
  type NativeFields,
  type NativeType,
} from '../../../core/generation/original/native-fields.ts';
import type { GenerationParameters, JsonObject, ParameterName } from '../../../core/generation/request.ts';
import { closestName } from '../../../core/names/closest-name.ts';
import { plainName } from '../../../core/names/plain-name.ts';

export interface NativeList {
  readonly fields: NativeFields;
  /** The name of the protocol. */
  readonly protocol: string;
  /** Whether the fields are meant for this target; at another, what it does not know is left out. */
  readonly isPrimary: boolean;
}

/** What a parameter gets, and the caller's path of the field that says so. Undefined: it is not sent. */
export interface ReadParameter {
  readonly value: unknown;
  readonly path: string;
}

export interface Collected {
  readonly parameters: Map<ParameterName, ReadParameter>;
  /** Names of fields that are left out. */
  readonly unknown: string[];
  unbounded: boolean;
  marker: JsonObject | undefined;
}

/** The two names of one limit. */
const sameLimit: readonly ParameterName[] = ['max_tokens', 'max_completion_tokens'];

export const isSameParameter = (one: ParameterName, other: ParameterName): boolean =>
  one === other || (sameLimit.includes(one) && sameLimit.includes(other));

/** A name in an error. */
const maxShownName = 64;

/**
 * Gives what is sent of an object as it is, and adds the rest to `found`. `given`: the parameters that the request has already.
 *
 * @throws GatewayError `invalid_request` for an unknown field of the first target, one of another type, or one that is given twice.
 */
export function collect(
  object: JsonObject,
  path: string,
  { list, given, found }: { list: NativeList; given: GenerationParameters; found: Collected },
): JsonObject {
  const names = new Map(Object.keys(list.fields).map((name) => [plainName(name), name]));
  const seen = new Set<string>();
  const left: JsonObject[] = [];
  for (const [own, value] of Object.entries(object)) {
    const plain = plainName(own);
    const name = names.get(plain) ?? '';
    const field = list.fields[name];
    const ownPath = `${path}.${own.slice(0, maxShownName)}`;
    if (seen.has(plain)) throw invalid(ownPath, 'is given twice, in two spellings');
    seen.add(plain);
    const problem = field && value !== null ? problemOf(field, value) : undefined;
    if (!list.isPrimary && (!field || problem)) found.unknown.push(own.slice(0, maxShownName));
    else if (!field) throw unknownField(own, ownPath, list);
    else if (problem) throw invalid(ownPath, problem);
    else if (value !== null) {
      const inside = field.fields && isJsonObject(value) ? { ...list, fields: field.fields } : undefined;
      const kept = inside ? collect(value as JsonObject, ownPath, { list: inside, given, found }) : value;
      left.push(read(name, field, kept, { path: ownPath, given, found }));
    }
  }
  return Object.assign({}, ...left);
}

function read(
  name: string,
  field: NativeField,
  value: unknown,
  { path, given, found }: { path: string; given: GenerationParameters; found: Collected },
): JsonObject {
  if (field.unbounded) found.unbounded = true;
  for (const parameter of field.over ?? []) note(found, parameter, { value: undefined, path });
  if (!field.reads) return isEmpty(value) && field.fields ? {} : { [name]: value };
  const { parameters, left = {}, marker } = field.reads(value as never, given);
  if (marker) found.marker = marker;
  for (const [parameter, own] of Object.entries(parameters)) {
    note(found, parameter as ParameterName, { value: own, path });
  }
  return Object.fromEntries(Object.entries(left).filter(([, rest]) => !isEmpty(rest)));
}

const isEmpty = (value: unknown): boolean => isJsonObject(value) && Object.keys(value).length === 0;

function note({ parameters }: Collected, name: ParameterName, { value, path }: ReadParameter): void {
  const same = [...parameters].find(([other]) => isSameParameter(name, other));
  if (value === undefined && same) return;
  if (same && same[1].value !== undefined) throw invalid(path, `contradicts '${same[1].path}'`);
  parameters.set(name, { value, path });
}

function unknownField(name: string, path: string, { fields, protocol }: NativeList): GatewayError {
  if (isOwnField(name)) return invalid(path, 'is not supported: the gateway sets this field itself');
  const closest = closestName(name, Object.keys(fields));
  const advice = closest === undefined ? '' : `; the closest field is '${closest}'`;
  return invalid(path, `is not supported in the protocol '${protocol}'${advice}`);
}

interface Type {
  readonly is: (value: unknown) => boolean;
  readonly problem: string;
}

const isText = (value: unknown): value is string => typeof value === 'string';

const types: Readonly<Record<NativeType, Type>> = {
  number: { is: Number.isFinite, problem: 'must be a number' },
  count: {
    is: (value) => Number.isSafeInteger(value) && Number(value) >= 1,
    problem: 'must be a whole number from 1',
  },
  flag: { is: (value) => typeof value === 'boolean', problem: 'must be true or false' },
  text: { is: isText, problem: 'must be a text' },
  texts: {
    is: (value) => isText(value) || (Array.isArray(value) && value.every(isText)),
    problem: 'must be a text, or a list of texts',
  },
  json: { is: () => true, problem: '' },
  object: { is: isJsonObject, problem: 'must be an object' },
};

/** What is wrong with a value; undefined for one that the field takes. */
function problemOf({ type, values }: NativeField, value: unknown): string | undefined {
  const { is, problem } = types[type];
  if (!is(value)) return problem;
  const isTaken = values === undefined || values.includes(String(value).toLowerCase());
  return isTaken ? undefined : `must be one of ${values.join(', ')}`;
}
