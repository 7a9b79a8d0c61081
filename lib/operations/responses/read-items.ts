/** The items of a request as messages of a conversation. */
import type { Message } from '../../core/generation.ts';
import type { History } from './history.ts';
import type { ResponsesInput } from './read.ts';

export interface Conversation {
  readonly messages: readonly Message[];
  /** The caller's word for a field that the house names; what it does not know stays as it is. */
  toPublicParam(param: string): string;
}

export function readConversation(_input: ResponsesInput, _history: History): Conversation {
  throw new Error('Not written yet.');
}
