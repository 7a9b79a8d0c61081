/** The settings of an own key as people type them. */

/**
 * `secret`: a key, or the JSON of a service account. `others`: as in `project=acme, location=eu`; what is no pair is left to the API to
 * refuse.
 */
export function typedSettings(secret: string, others = ''): Readonly<Record<string, string>> {
  const pairs = others.split(',').flatMap((pair) => {
    const [name = '', ...value] = pair.split('=').map((part) => part.trim());
    return name === '' ? [] : [[name, value.join('=')] as const];
  });
  const key = secret.trim();
  return { [key.startsWith('{') ? 'credentials' : 'api-key']: key, ...Object.fromEntries(pairs) };
}
