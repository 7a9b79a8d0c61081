/** Names that others gave to their errors, where a text would be too much. */

/** Characters of a name of an error that is logged. */
const maxErrorName = 100;

const pattern = new RegExp(`^[A-Za-z0-9._-]{1,${maxErrorName}}$`);

/** Whether a value is a plain name: no sentence, and nothing that has to be escaped. */
export const isShortName = (value: unknown): value is string =>
  typeof value === 'string' && pattern.test(value);
