/**
 * The fields of a provider's own protocol that callers may give in `native_fields`: an allow list for each protocol, as data.
 * What decides the cost of a request is read into its parameters, so that reservations, limits, rules and records know of it;
 * the rest is put into the encoded body. A field that no list has is refused.
 *
 * Names are compared without case and without what joins their words, because some servers do the same; what is sent has the
 * spelling of the list.
 */
import { plainName } from '../../names/plain-name.ts';
import type { GenerationParameters, JsonObject, ParameterName } from '../request.ts';

export type NativeFields = { readonly [name: string]: NativeField };

/** `count`: a whole number from 1; `texts`: a text or a list of them; `json`: anything. */
export type NativeType = 'number' | 'count' | 'flag' | 'text' | 'texts' | 'json' | 'object';

export interface NativeField {
  readonly type: NativeType;
  /** Of an object. */
  readonly fields?: NativeFields;
  /** The only texts that are taken. */
  readonly values?: readonly string[];
  /** The parameters whose place it takes. */
  readonly over?: readonly ParameterName[];
  /** What it means as parameters. Absent: the field is sent as it is. */
  readonly reads?: (value: never, given: GenerationParameters) => NativeReading;
  /** What it may cost has no known bound. */
  readonly unbounded?: true;
}

export interface NativeReading {
  /** Undefined: the parameter is not sent. */
  readonly parameters: Partial<Record<ParameterName, unknown>>;
  /** What is still sent as a field of the protocol. */
  readonly left?: JsonObject;
  /** Marks the end of the conversation for a prompt cache. */
  readonly marker?: JsonObject;
}

/** Fields that only the gateway sets, by their plain names. */
const ownFields: ReadonlySet<string> = new Set([
  ...['model', 'models', 'route', 'stream', 'streamoptions', 'messages', 'input', 'contents', 'store'],
  ...['previousresponseid', 'conversation', 'background', 'n', 'candidatecount', 'tools'],
]);

export const isOwnField = (name: string): boolean => ownFields.has(plainName(name));

export const number: NativeField = { type: 'number' };
export const flag: NativeField = { type: 'flag' };
export const text: NativeField = { type: 'text' };
export const texts: NativeField = { type: 'texts' };
export const json: NativeField = { type: 'json' };

/** A field that takes the place of these parameters. */
export const over = (field: NativeField, ...parameters: readonly ParameterName[]): NativeField => ({
  ...field,
  over: parameters,
});

/** Fields that have the names of the parameters whose place they take. */
export function namesakes(field: NativeField, ...names: readonly ParameterName[]): NativeFields {
  return Object.fromEntries(names.map((name) => [name, over(field, name)]));
}

export const object = (fields: NativeFields, more: Partial<NativeField> = {}): NativeField => ({
  type: 'object',
  fields,
  ...more,
});

/** A field that is a parameter. */
export const parameter = (name: ParameterName, type: NativeType): NativeField => ({
  type,
  reads: (value: unknown) => ({ parameters: { [name]: value } }),
});

/** A field whose texts are values of a parameter. */
export function choice(name: ParameterName, values: Readonly<Record<string, string>>): NativeField {
  return {
    type: 'text',
    values: Object.keys(values),
    reads: (value: string) => ({ parameters: { [name]: values[value.toLowerCase()] } }),
  };
}

const asThemselves = (values: readonly string[]) => Object.fromEntries(values.map((value) => [value, value]));

/** Texts that are values of a parameter as they are, or by another name. */
export const sameChoice = (
  name: ParameterName,
  values: readonly string[],
  others: Readonly<Record<string, string>> = {},
): NativeField => choice(name, { ...asThemselves(values), ...others });
