/** Checks of single settings. Each throws an Error that names the setting at fault. */

export function matching(name: string, value: string, form: RegExp, what: string): string {
  if (value === '' || form.test(value)) return value;
  throw new Error(`The setting "${name}" must be ${what}, not "${value}".`);
}

export function wholeNumber(
  name: string,
  value: string,
  { min, max } = { min: 1, max: Number.MAX_SAFE_INTEGER },
) {
  const number = /^[0-9]+$/.test(value) ? Number(value) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new Error(`The setting "${name}" must be a whole number from ${min} to ${max}, not "${value}".`);
}

export function oneOf<Choice extends string>(
  name: string,
  value: string,
  choices: readonly Choice[],
): Choice {
  const chosen = choices.find((choice) => choice === value);
  if (chosen !== undefined) return chosen;
  throw new Error(`The setting "${name}" must be one of ${choices.join(', ')}, not "${value}".`);
}

/** The value of a setting, or its default where it is not given. */
export type SettingText = (name: string, defaultValue: string) => string;
