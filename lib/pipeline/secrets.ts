/**
 * Removes the gateway's own credentials from what a provider reports: the keys as they are, in the forms in which a text may
 * repeat them, and longer parts of them. Keys of unknown form are found too, because they are known.
 */
import type { GatewayError } from '../core/errors/errors.ts';
import { isJsonObject } from '../core/formats/json-object.ts';
import { parseJson } from '../core/formats/parse-json.ts';
import type { ProviderAccess } from '../core/ports/provider-access.ts';

/** Characters in a row that a text shares with a key only by repeating it. */
const partLength = 12;

/** A shorter value is a placeholder, such as a local server wants, and may be a word. */
const shortestKey = 6;

const removed = '[removed]';

/** The values of an account that must not be shown. Of the JSON text of a service account's key, its members. */
export function secretsOf({ apiKey, sandbox, settings }: ProviderAccess): readonly string[] {
  if (sandbox) return [];
  const members = settings.credentials === undefined ? {} : parseJson(settings.credentials);
  const named = isJsonObject(members) ? secretMembers.map((name) => members[name]) : [];
  return [apiKey, ...named].filter((value): value is string => typeof value === 'string');
}

const secretMembers = ['private_key', 'private_key_id', 'client_email', 'client_id'];

/** The error without the secrets, wherever the provider repeats them. A field or code with one is left out. */
export function withoutSecrets(error: GatewayError, secrets: readonly string[] = []): GatewayError {
  const parts = partsOf(secrets);
  if (parts.size === 0) return error;
  const { code, upstreamParam, upstreamCode } = error;
  const message = remove(error.message, parts);
  const isSecret = (name: string | null | undefined) =>
    typeof name === 'string' && remove(name, parts) !== name;
  if (message === error.message && ![code, upstreamParam, upstreamCode].some(isSecret)) return error;
  return error.with({
    message,
    ...(isSecret(upstreamParam) && { upstreamParam: undefined }),
    ...(isSecret(code) && { providerCode: undefined }),
    ...(isSecret(upstreamCode) && { upstreamCode: undefined }),
  });
}

/** Texts that are removed, by their length. */
type Parts = ReadonlyMap<number, ReadonlySet<string>>;

function partsOf(secrets: readonly string[]): Parts {
  const parts = new Map<number, Set<string>>();
  for (const form of secrets.filter(({ length }) => length >= shortestKey).flatMap(formsOf)) {
    const length = Math.min(partLength, form.length);
    const known = parts.get(length) ?? new Set();
    for (let start = 0; start + length <= form.length; start++) known.add(form.slice(start, start + length));
    parts.set(length, known);
  }
  return parts;
}

/** A key as it is, in a URL, in JSON, and in Base64 at each place that it may have in the encoded text. */
function formsOf(key: string): readonly string[] {
  const encoded = [0, 1, 2].map((before) => {
    const text = Buffer.from(`${' '.repeat(before)}${key}`).toString('base64');
    // What depends on the bytes around the key is left out.
    return text.slice(before === 0 ? 0 : before + 1).replace(/.{0,2}={0,2}$/, '');
  });
  const forUrls = encoded.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  const others = [encodeURIComponent(key), JSON.stringify(key).slice(1, -1)];
  return [key, ...others, ...[...encoded, ...forUrls].filter(({ length }) => length >= shortestKey)];
}

/** Neighbouring parts are removed as one. */
function remove(text: string, parts: Parts): string {
  let kept = '';
  let start = 0;
  let until = -1;
  for (let at = 0; at < text.length; at++) {
    for (const [length, known] of parts) {
      if (!known.has(text.slice(at, at + length))) continue;
      if (at > until) kept += `${text.slice(start, at)}${removed}`;
      until = Math.max(until, at + length);
      start = until;
    }
  }
  return kept + text.slice(start);
}
