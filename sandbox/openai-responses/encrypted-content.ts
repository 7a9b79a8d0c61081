/**
 * What a reasoning item holds for the way back: it opens for the account and the item that it was made for, and for no
 * other. No two are alike, also those of one item.
 */
import { randomUUID } from 'node:crypto';
import { seal } from '../signature.ts';

const separator = '.';

/** `account`: who made it; each provider is one. */
export function encrypt(account: string, itemId: string): string {
  const nonce = randomUUID();
  const payload = Buffer.from(JSON.stringify([itemId, nonce])).toString('base64url');
  return `gAAAAA${payload}${separator}${seal(`${account}:${itemId}:${nonce}`)}`;
}

/** The item it was made for; undefined where the account did not make it. */
export function decrypt(account: string, content: string): string | undefined {
  const [payload = '', digest] = content.slice('gAAAAA'.length).split(separator);
  const [itemId, nonce] = parsePair(Buffer.from(payload, 'base64url').toString());
  return digest === seal(`${account}:${itemId}:${nonce}`) ? itemId : undefined;
}

function parsePair(text: string): readonly string[] {
  try {
    const pair: unknown = JSON.parse(text);
    return Array.isArray(pair) ? pair.map(String) : [];
  } catch {
    return [];
  }
}
