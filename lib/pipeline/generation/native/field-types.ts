/** What a field of `native_fields` must be. */

import { isJsonObject } from '../../../core/formats/json-object.ts';
import type { NativeField, NativeType } from '../../../core/generation/original/native-fields.ts';

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
export function problemOf({ type, values }: NativeField, value: unknown): string | undefined {
  const { is, problem } = types[type];
  if (!is(value)) return problem;
  const isTaken = values === undefined || values.includes(String(value).toLowerCase());
  return isTaken ? undefined : `must be one of ${values.join(', ')}`;
}
