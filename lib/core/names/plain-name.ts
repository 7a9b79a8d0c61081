/**
 * A field's name as a lenient JSON reader compares it: without case, without the characters that join its words, and with what
 * Unicode counts as the same letter. Go's encoding/json folds case, U+017F (ſ) and U+212A (the Kelvin sign) this way:
 * https://pkg.go.dev/encoding/json#Unmarshal. Other readers also ignore `_` and `-`.
 */
export const plainName = (name: string): string =>
  lettersOf(lettersOf(name).slice(0, maxLength).normalize('NFKC').toUpperCase().toLowerCase());

/** No name that is read has so many letters. It bounds the work on a name that a caller chose. */
const maxLength = 100;

const lettersOf = (name: string): string => name.replaceAll(/[^\p{L}\p{N}]/gu, '');
