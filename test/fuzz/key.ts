/** The key of a provider's account, which no error shows, whatever repeats it. */

/** Of no form that a pattern knows: only words. */
export const providerKey = 'Plain words/keyed+with no digits at all';

/** Characters in a row that a text shares with the key only by repeating it. */
const partLength = 14;

const parts = Array.from({ length: providerKey.length - partLength + 1 }, (_, at) =>
  providerKey.slice(at, at + partLength),
);

export const showsKey = (text: string): boolean => parts.some((part) => text.includes(part));
