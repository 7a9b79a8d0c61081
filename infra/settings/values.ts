/** What is known of a setting beside its reader, and how single ones are read. Each reader throws an Error that names the setting at fault. */
import type { Compute } from './groups/computes.ts';

/** For `docs/reference/deployment-settings.md`, for settings files, and for the refusal of unknown names. Its default is that of its reader. */
export interface SettingRow {
  readonly name: string;
  readonly meaning: string;
  /** Its name in earlier versions, which is refused with the new one. */
  readonly formerly?: string;
  /** Where it has an effect; absent: everywhere. */
  readonly hosts?: readonly Compute[];
  /** How a settings file may also write it: `list` as an array, `map` and `tags` as an object. */
  readonly form?: SettingFormat;
}

/** On the command line: `a,b`, `a:1,b:2` and `a=1,b=2`. */
export type SettingFormat = 'list' | 'map' | 'tags';

/** The value of a setting, or its default where it is not given. */
export type SettingText = (name: string, defaultValue: string) => string;

/** Empty where it is not given. */
export function matching(text: SettingText, name: string, form: RegExp, what: string): string {
  const value = text(name, '');
  if (value === '' || form.test(value)) return value;
  throw new Error(`The setting "${name}" must be ${what}, not "${value}".`);
}

export function wholeNumber(
  text: SettingText,
  name: string,
  defaultValue: number,
  { min, max } = { min: 1, max: Number.MAX_SAFE_INTEGER },
) {
  const value = text(name, `${defaultValue}`);
  const number = /^[0-9]+$/.test(value) ? Number(value) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new Error(`The setting "${name}" must be a whole number from ${min} to ${max}, not "${value}".`);
}

export function oneOf<Choice extends string>(
  text: SettingText,
  name: string,
  choices: readonly Choice[],
  defaultValue = '',
): Choice {
  const value = text(name, defaultValue);
  const chosen = choices.find((choice) => choice === value);
  if (chosen !== undefined) return chosen;
  throw new Error(`The setting "${name}" must be one of ${choices.join(', ')}, not "${value}".`);
}

export const isTrue = (text: SettingText, name: string, defaultValue: 'true' | 'false' = 'false'): boolean =>
  oneOf(text, name, ['true', 'false'], defaultValue) === 'true';

export const isOn = (text: SettingText, name: string, defaultValue: 'on' | 'off' = 'off'): boolean =>
  oneOf(text, name, ['on', 'off'], defaultValue) === 'on';

/** A list such as `a, b`. */
export const listOf = (text: SettingText, name: string): readonly string[] =>
  text(name, '')
    .split(',')
    .flatMap((part) => part.trim() || []);

/** A list such as `chat-completions:100,models:10`, by these names. */
export function byName<Value>(
  text: SettingText,
  setting: string,
  names: readonly string[],
  read: (value: SettingText) => Value,
): ReadonlyMap<string, Value> {
  return new Map(
    listOf(text, setting).map((part) => {
      const [, name = '', value = ''] = /^([^:]*):(.*)$/.exec(part) ?? [];
      return [oneOf(() => name, setting, names), read(() => value)];
    }),
  );
}

export const numbersByName = (text: SettingText, setting: string, names: readonly string[]) =>
  byName(text, setting, names, (value) => wholeNumber(value, setting, 0));
