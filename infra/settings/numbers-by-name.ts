import { oneOf, wholeNumber } from './values.ts';

/** Reads a list such as `chat-completions:100,models:10`. Throws an Error that names the setting. */
export function numbersByName(
  setting: string,
  value: string,
  names: readonly string[],
): ReadonlyMap<string, number> {
  const parts = value.split(',').flatMap((part) => part.trim() || []);
  return new Map(
    parts.map((part) => {
      const [, name = '', number = ''] = /^([^:]*):(.*)$/.exec(part) ?? [];
      return [oneOf(setting, name, names), wholeNumber(setting, number)];
    }),
  );
}
