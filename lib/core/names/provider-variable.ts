/** The environment variables in which an operator gives the settings of a provider. */

/** The variable of a setting, for example `ANTHROPIC_API_KEY`. */
export function variableOf(account: string, setting: string): string {
  const name = setting === 'base-url' ? 'upstream-url' : setting;
  return `${account}-${name}`.toUpperCase().replaceAll('-', '_');
}
