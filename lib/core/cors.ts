/**
 * Which web pages may call the gateway from a browser (CORS). None by default: a key in a page can be read by everyone who opens
 * the dashboard. Answers never allow credentials (cookies), so that `*` means every header here.
 */

type Headers = Readonly<Record<string, string>>;

/** An origin as browsers send it: scheme, host and port, without a path. Pages in apps have schemes of their own. */
const origin = /^[a-z][a-z0-9+.-]*:\/\/([a-z0-9._-]+|\[[0-9a-f:]+\])(:[0-9]{1,5})?$/;

export const maxOrigins = 20;

/**
 * The origins of a list that is separated by commas: exact ones, or `*` alone for all.
 * @throws Error that begins with `name`, the setting.
 */
export function readCorsOrigins(name: string, text = ''): readonly string[] {
  const origins = text.split(',').flatMap((part) => part.trim() || []);
  if (origins.length === 1 && origins[0] === '*') return origins;
  if (origins.length <= maxOrigins && origins.every((one) => origin.test(one))) return origins;
  throw new Error(
    `${name} must be * or at most ${maxOrigins} origins, such as https://app.example.com, in lower case, without a path, separated by commas.`,
  );
}

/** The headers of an answer to a page of this origin. */
export function corsHeaders(origins: readonly string[], from: string | undefined): Headers {
  if (origins.length === 0) return {};
  if (origins[0] === '*') return openHeaders;
  if (from === undefined || !origins.includes(from)) return { vary: 'origin' };
  return { ...openHeaders, 'access-control-allow-origin': from, vary: 'origin' };
}

/** The headers of an answer that holds nothing of a caller: every page may read it. */
export const openHeaders: Headers = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': '*',
};

/** What the answer to a preflight has beside the origin. `*` does not include `authorization`. */
export const preflightHeaders: Headers = {
  'access-control-allow-methods': 'GET, HEAD, POST, DELETE',
  'access-control-allow-headers': 'authorization, *',
  // Browsers keep it for two hours at most.
  'access-control-max-age': '7200',
};
