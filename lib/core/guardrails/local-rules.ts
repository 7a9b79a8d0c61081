/** The settings of the rules that the gateway applies itself, without a call. */

export const personalData = ['email', 'phone', 'card', 'ip', 'iban', 'ssn'] as const;
export type PersonalData = (typeof personalData)[number];

export type LocalRule =
  /** Whole words or phrases, in any case. */
  | { readonly kind: 'words'; readonly words: readonly string[] }
  /** Regular expressions of the subset that `pattern.ts` accepts. */
  | { readonly kind: 'pattern'; readonly patterns: readonly string[] }
  /** Absent types: all. */
  | { readonly kind: 'pii'; readonly types?: readonly PersonalData[] }
  /** Keys and tokens of known formats. */
  | { readonly kind: 'secrets' };
