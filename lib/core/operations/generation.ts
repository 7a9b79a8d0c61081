/** The rows of what generates texts: chat, responses, messages and completions, and of what is stored of them. */
import type { Operation } from './operation.ts';
import { longest, reading, withKey } from './row-parts.ts';

const generating = {
  ...withKey,
  reads: ['access', 'catalog', 'state', 'usage'],
  stateItems: ['answer', 'cached', 'note', 'stream'],
  writes: ['state', 'usage'],
  updates: ['usage'],
  ...longest,
} as const;

const counting = {
  ...withKey,
  onlyCounts: true,
  reads: ['access', 'catalog', 'state', 'usage'],
  stateItems: ['note'],
  updates: ['usage'],
  timeoutSeconds: 60,
} as const;

/** They end the records of responses that never began. */
const endingRuns = { writes: ['usage'] } as const;

const ofResponse = { ...reading, reads: ['access', 'state'], stateItems: ['response'] } as const;

export const generationRows: readonly Operation[] = [
  { ...generating, name: 'chat-completions', path: '/v1/chat/completions', endpoint: 'chat_completions' },
  {
    ...generating,
    name: 'responses',
    path: '/v1/responses',
    endpoint: 'responses',
    stateItems: ['answer', 'cached', 'note', 'response', 'stream'],
    updates: ['state', 'usage'],
    startsRuns: true,
  },
  // A response that is created in the background is followed to its end, and fails where its worker is gone.
  {
    ...ofResponse,
    name: 'responses-retrieve',
    path: '/v1/responses/{response_id}',
    ...endingRuns,
    updates: ['state'],
    ...longest,
    startsRuns: true,
  },
  {
    ...ofResponse,
    ...endingRuns,
    name: 'responses-cancel',
    method: 'POST',
    path: '/v1/responses/{response_id}/cancel',
    updates: ['state'],
    startsRuns: true,
  },
  {
    ...ofResponse,
    ...endingRuns,
    name: 'responses-delete',
    method: 'DELETE',
    path: '/v1/responses/{response_id}',
    reads: ['access'],
    deletes: ['state'],
    startsRuns: true,
  },
  { ...ofResponse, name: 'responses-input-items', path: '/v1/responses/{response_id}/input_items' },
  {
    ...counting,
    name: 'responses-input-tokens',
    path: '/v1/responses/input_tokens',
    endpoint: 'responses',
    stateItems: ['note', 'response'],
  },
  {
    ...generating,
    name: 'responses-compact',
    path: '/v1/responses/compact',
    endpoint: 'responses',
    stateItems: ['answer', 'note', 'response'],
  },
  { ...generating, name: 'messages', path: '/v1/messages', endpoint: 'messages', errors: 'anthropic' },
  {
    ...counting,
    name: 'messages-count-tokens',
    path: '/v1/messages/count_tokens',
    endpoint: 'messages',
    errors: 'anthropic',
  },
  // Every model that can chat can complete a text.
  { ...generating, name: 'completions', path: '/v1/completions', endpoint: 'chat_completions' },
  // A stream that can be resumed is read to its end.
  {
    ...reading,
    name: 'streams-retrieve',
    path: '/v1/streams/{stream_id}',
    onlyWithVersion: true,
    onlyGet: true,
    reads: ['access', 'state'],
    stateItems: ['stream'],
    ...longest,
  },
];
