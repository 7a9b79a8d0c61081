/** Which models of the playground are open. */

export const mostModels = 3;

/** Where the URL names none: those that are there. */
const preferred = ['openai/gpt-5.5', 'anthropic/claude-haiku-4-5'];

/** @param named In the URL, separated by commas. @param models All that can be chosen. */
export function modelsIn(named: string | null, models: readonly string[]): readonly string[] {
  const known = [...new Set((named ?? '').split(','))].filter((model) => models.includes(model));
  if (known.length > 0) return known.slice(0, mostModels);
  const found = preferred.filter((model) => models.includes(model));
  return found.length > 0 ? found : models.slice(0, 1);
}
