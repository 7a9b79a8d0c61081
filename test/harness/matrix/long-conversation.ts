/** A conversation of which the middle can be left out: a task, two calls with their results, a remark, and the question. */
import type { Message } from '../../../lib/core/generation/request.ts';

export const said = (role: 'user' | 'system', text: string): Message => ({
  role,
  content: [{ type: 'text', text }],
});

export const called = (id: string): Message => ({
  role: 'assistant',
  content: [],
  toolCalls: [{ id, name: 'look', arguments: '{}' }],
  reasoningDetails: [],
});

export const answered = (toolCallId: string): Message => ({
  role: 'tool',
  toolCallId,
  content: [{ type: 'text', text: 'x'.repeat(100) }],
});

export const longConversation: readonly Message[] = [
  said('system', 's'.repeat(100)),
  said('user', 'f'.repeat(100)),
  called('one'),
  called('two'),
  answered('two'),
  answered('one'),
  said('user', 'm'.repeat(100)),
  said('user', 'l'.repeat(100)),
];
