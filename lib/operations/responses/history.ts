/** What a request refers to instead of saying it: an earlier response, and single items of kept responses. */
import type { ResponseStore } from '../../core/ports.ts';
import type { ConversationItem } from './item.ts';
import type { ResponsesInput } from './read.ts';

export interface History {
  /** Everything up to and with the earlier response, oldest first. */
  readonly earlier: readonly ConversationItem[];
  /** The request's own items, each at its place, with what it referred to. */
  readonly items: readonly ConversationItem[];
}

/** @throws GatewayError `invalid_request` for what is not kept, or not for this tenant. */
export async function findHistory(
  _store: ResponseStore,
  _tenant: string,
  _input: ResponsesInput,
): Promise<History> {
  throw new Error('Not written yet.');
}
