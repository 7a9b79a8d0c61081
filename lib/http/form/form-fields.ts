/**
 * The texts of a form as a JSON body would have them: `a[]` and `a[0]` are elements of the list `a`, `a[b]` is the member `b` of the
 * object `a`, and a text is the number, flag or object that its field is. What cannot be read stays a text, which the schema refuses.
 */
import { invalid } from '../../core/errors/invalid.ts';
import { isJsonObject } from '../../core/formats/json-object.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import type { FormValue } from '../../core/held-form.ts';
import { checkShape } from '../request/body-shape.ts';

const maxSteps = 5;
const namePattern = /^([^[\]]+)((?:\[[^[\]]*\])*)$/;

export function createFormFields(kinds: Readonly<Record<string, FormValue>>) {
  const fields = new Map<string, unknown>();
  return {
    /** @throws GatewayError 400 that names the field. */
    add(name: string, text: string): void {
      const [, field = name, brackets] = namePattern.exec(name) ?? [];
      const steps = [...(brackets ?? '').matchAll(/\[([^[\]]*)\]/g)].map(([, step = '']) => step);
      if (brackets === undefined || steps.length > maxSteps)
        throw invalid(field, 'has a name that is not valid');
      const kind = Object.hasOwn(kinds, field) ? kinds[field] : undefined;
      const path = kind === 'list' && steps.length === 0 ? [''] : steps;
      const value = readText(text, kind, path.length > 0);
      fields.set(field, withValue(fields.get(field), { field, path, value }));
    },
    /** @throws GatewayError 400 */
    read(): Readonly<Record<string, unknown>> {
      const read = Object.fromEntries(fields);
      checkShape(read);
      return read;
    },
  };
}

interface Placed {
  readonly field: string;
  /** Where in the field. */
  readonly path: readonly string[];
  readonly value: unknown;
}

/** `found` with one value more. Elements are in the order in which they come, whatever their numbers. */
function withValue(found: unknown, { field, path, value }: Placed): unknown {
  const [step, ...rest] = path;
  const inner = { field, path: rest, value };
  if (step === undefined && found === undefined) return value;
  if (step !== undefined && /^\d*$/.test(step) && (found === undefined || Array.isArray(found)))
    return [...(found ?? []), withValue(undefined, inner)];
  if (step === undefined || !(found === undefined || isJsonObject(found)))
    throw invalid(field, 'is given twice, or in two ways');
  const member = found && Object.hasOwn(found, step) ? found[step] : undefined;
  return { ...found, [step]: withValue(member, inner) };
}

const numberPattern = /^-?\d{1,20}(?:\.\d{1,20})?(?:[eE][+-]?\d{1,3})?$/;

const flags: Readonly<Record<string, boolean>> = { true: true, false: false };

/** `isInside`: of an object in brackets, whose members have no kinds of their own. */
function readText(text: string, kind: FormValue | undefined, isInside: boolean): unknown {
  if (kind === 'object' && !isInside) return (/^\s*[{[]/.test(text) ? parseJson(text) : undefined) ?? text;
  const isObject = kind === 'object';
  if ((kind === 'number' || isObject) && numberPattern.test(text)) return Number(text);
  if ((kind === 'flag' || isObject) && Object.hasOwn(flags, text)) return flags[text];
  return text;
}
