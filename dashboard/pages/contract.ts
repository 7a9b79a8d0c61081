/** What a contract with a provider says, as the values of a form. */
import type { Fields } from './form-values.ts';

/** In place of an empty list: that nothing was said is something else. */
const none = 'none';

export const proposedFeatures = ['web_search', 'code_interpreter', 'mcp', 'store', none].map((value) => ({
  value,
}));

export const featureWords = (features: readonly string[] | null | undefined): readonly string[] =>
  features?.length === 0 ? [none] : (features ?? []);

const days = (title: string) => ({
  title,
  read: (given: unknown) => String(given ?? ''),
  /** What is no number goes as it is, so that the API names the field. */
  write: (held: string | readonly string[]) => (/^\d+$/.test(String(held).trim()) ? Number(held) : held),
});

export const contractFields: Fields = {
  retention_days: days('Days that content is kept'),
  flagged_days: days('Days that flagged content is kept'),
  trains: {
    title: 'Trains on it',
    read: (given) => (typeof given === 'boolean' ? (given ? 'yes' : 'no') : ''),
    write: (held) => held === 'yes',
  },
  zdr_features: {
    title: 'Zero retention also with',
    read: (given) => featureWords(given as readonly string[] | null | undefined),
    write: (held) => (typeof held === 'string' ? held : held.filter((feature) => feature !== none)),
  },
};
