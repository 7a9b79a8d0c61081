/** The name of a parameter, as errors show it: names are cut to 64 characters. */
const maxNameLength = 64;

/** The dotted path of a parameter. */
export const parameterName = (path: readonly PropertyKey[]): string =>
  path.map((key) => String(key).slice(0, maxNameLength)).join('.');
