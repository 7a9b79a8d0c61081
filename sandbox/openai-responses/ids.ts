/**
 * Ids of the Responses protocol. Those of one response share its digits; an item that came out of reasoning says so, and
 * which.
 */
import { randomUUID } from 'node:crypto';
import { seal } from '../signature.ts';

export interface ResponseIds {
  readonly response: string;
  readonly reasoning: string;
  /** The id of the output item at `index`. */
  item(prefix: 'msg' | 'fc' | 'ctc' | 'ws', index: number): string;
}

export function newIds(hasReasoning: boolean): ResponseIds {
  const digits = randomUUID().replaceAll('-', '');
  return {
    response: `resp_${digits}`,
    reasoning: `rs_${digits}`,
    item: (prefix, index) => `${prefix}_${digits}${hasReasoning ? 'r' : 'n'}${index}`,
  };
}

/** The reasoning item that an item came out of; undefined for none, and for ids of others. */
export function reasoningIdOf(id: string): string | undefined {
  const digits = /^(?:msg|fc|ws)_([0-9a-f]{32})r\d+$/.exec(id)?.[1];
  return digits === undefined ? undefined : `rs_${digits}`;
}

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
