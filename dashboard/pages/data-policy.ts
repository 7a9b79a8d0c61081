/** A data policy as the words of a form: each forbids something. */
import type { DataPolicyAnswer, DataPolicyInput } from '../../lib/admin/tenancy-schema.ts';

const flags = { zdr: 'zero retention', no_training: 'no training', no_store: 'nothing stored' } as const;
type Flag = keyof typeof flags;
const flagNames = Object.keys(flags) as Flag[];

/** What is proposed; providers and further regions are typed. */
export const proposedPolicies = [
  ...Object.values(flags),
  ...['in eu', 'in us', 'only anthropic', 'only bedrock', 'only openai', 'not xai'],
].map((value) => ({ value }));

export function policyWords(policy: DataPolicyAnswer): readonly string[] {
  if (!policy) return [];
  const { regions, providers } = policy;
  return [
    ...flagNames.filter((flag) => policy[flag]).map((flag) => flags[flag]),
    ...(regions ?? []).map((name) => `in ${name}`),
    ...(providers.only ?? []).map((name) => `only ${name}`),
    ...(providers.ignore ?? []).map((name) => `not ${name}`),
  ];
}

/** What is no policy goes as the name of a region, so that the API says what it wants. */
export function policyOf(words: readonly string[]): DataPolicyInput {
  if (words.length === 0) return null;
  const after = (start: string) => {
    const names = words
      .filter((word) => word.startsWith(start))
      .map((word) => word.slice(start.length).trim());
    return names.length > 0 ? names : undefined;
  };
  const isKnown = (word: string) =>
    Object.values<string>(flags).includes(word) || /^(?:in|only|not) /.test(word);
  const unknown = words.filter((word) => !isKnown(word));
  const [regions = [], only, ignore] = [after('in '), after('only '), after('not ')];
  return {
    ...Object.fromEntries(
      flagNames.filter((flag) => words.includes(flags[flag])).map((flag) => [flag, true]),
    ),
    ...(regions.length + unknown.length > 0 && { regions: [...regions, ...unknown] }),
    ...((only || ignore) && { providers: { ...(only && { only }), ...(ignore && { ignore }) } }),
  };
}
