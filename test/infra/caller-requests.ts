/** Requests of callers that lead each operation to every service that it uses, by the name of the operation. */
import type { OperationName } from '../../lib/core/operations.ts';
import type { CallerRequest } from '../harness/aws/caller.ts';
import { pixel } from '../harness/matrix/providers.ts';

const openai = 'openai/gpt-4.1';
const claude = 'anthropic/claude-haiku-4-5';
const bedrock = { provider: { only: ['bedrock'] } };
const messages = [{ role: 'user', content: 'Hi' }];
const small = { max_tokens: 20 };
/** On Bedrock only. */
const nova = 'amazon/nova-lite';
/** What is not found is looked for in the whole catalog. */
const unknown = { model: 'openai/gpt-unknown' };
const missing = { status: 404 };

/** A prefix that is cached at Google, which has a store for it: the gateway keeps its name in its own. */
const cached = (word: string) => ({
  model: 'google/gemini-2.5-flash',
  messages: [
    {
      role: 'user',
      content: [{ type: 'text', text: word.repeat(6_000), cache_control: { type: 'ephemeral' } }],
    },
    { role: 'assistant', content: 'Yes.' },
    { role: 'user', content: 'Go on.' },
  ],
});

/** A recording in FLAC that does not say how long it is. */
const recording = `fLaC${'\0'.repeat(60)}`;

export const callerRequests: Readonly<Record<OperationName, readonly CallerRequest[]>> = {
  'chat-completions': [
    { body: { model: openai, messages } },
    { body: { model: openai, messages, stream: true, extra: { resumable: true } } },
    { body: { model: claude, messages, ...bedrock } },
    { body: { model: claude, messages, stream: true, ...bedrock } },
    { body: cached('one ') },
    { body: cached('one ') },
    { body: { ...unknown, messages }, ...missing },
  ],
  responses: [
    { body: { model: openai, input: 'Hi', store: true } },
    { body: { model: claude, input: 'Hi', store: false, ...bedrock } },
    { body: { model: claude, input: 'Hi', store: false, stream: true, ...bedrock } },
    { body: { ...unknown, input: 'Hi' }, ...missing },
  ],
  'responses-retrieve': [{}],
  'responses-cancel': [{ path: { response_id: 'resp_none' }, ...missing }],
  'responses-input-items': [{}],
  'responses-input-tokens': [
    { body: { model: openai, input: 'Hi' } },
    { body: { model: claude, input: 'Hi', ...bedrock } },
    { body: { ...unknown, input: 'Hi' }, ...missing },
  ],
  'responses-compact': [
    { body: { model: openai, input: 'Hi' } },
    { body: { model: nova, input: 'Hi' } },
    { body: { ...unknown, input: 'Hi' }, ...missing },
  ],
  messages: [
    { body: { model: openai, messages, ...small } },
    { body: { model: claude, messages, ...small, ...bedrock } },
    { body: { model: claude, messages, stream: true, ...small, ...bedrock } },
    { body: { ...cached('two '), ...small } },
    { body: { ...unknown, messages, ...small }, ...missing },
  ],
  'messages-count-tokens': [
    { body: { model: openai, messages } },
    { body: { model: claude, messages, ...bedrock } },
    { body: { ...unknown, messages }, ...missing },
  ],
  completions: [
    { body: { model: openai, prompt: 'Hi' } },
    { body: { model: nova, prompt: 'Hi' } },
    { body: { model: nova, prompt: 'Hi', stream: true } },
    { body: { ...unknown, prompt: 'Hi' }, ...missing },
  ],
  'files-list': [{ query: { limit: '2' } }],
  'files-create': [{ form: { file: 'file', purpose: 'batch' } }],
  'files-retrieve': [{}],
  'files-content': [{}],
  'files-delete': [{}],
  'uploads-create': [{ body: { filename: 'a', purpose: 'batch', bytes: 4, mime_type: 'text/plain' } }],
  'uploads-add-part': [{ path: { upload_id: 'upload_none' }, form: { data: 'text' }, ...missing }],
  'uploads-complete': [{ path: { upload_id: 'upload_none' }, body: { part_ids: ['part_1'] }, ...missing }],
  'uploads-cancel': [{ path: { upload_id: 'upload_none' }, ...missing }],
  'batches-list': [{ query: { limit: '2' } }],
  'batches-create': [
    {
      body: { input_file_id: 'file-none', endpoint: '/v1/responses', completion_window: '24h' },
      status: 400,
    },
  ],
  'batches-retrieve': [{ path: { batch_id: 'batch_none' }, ...missing }],
  'batches-cancel': [{ path: { batch_id: 'batch_none' }, ...missing }],
  'message-batches-list': [{ query: { limit: '2' } }],
  'message-batches-create': [{ body: { requests: [{ custom_id: 'a', params: {} }] } }],
  'message-batches-retrieve': [{ path: { message_batch_id: 'msgbatch_none' }, ...missing }],
  'message-batches-delete': [{ path: { message_batch_id: 'msgbatch_none' }, ...missing }],
  'message-batches-results': [{ path: { message_batch_id: 'msgbatch_none' }, ...missing }],
  'message-batches-cancel': [{ path: { message_batch_id: 'msgbatch_none' }, ...missing }],
  'streams-retrieve': [{ path: { stream_id: 'stream_none' }, ...missing }],
  embeddings: [
    { body: { model: 'openai/text-embedding-3-small', input: 'Hi' } },
    { body: { model: 'amazon/titan-embed-text-v2', input: 'Hi' } },
    { body: { ...unknown, input: 'Hi' }, ...missing },
  ],
  'images-generations': [
    { body: { model: 'openai/gpt-image-2.5-sunburst', prompt: 'A cat' } },
    { body: { ...unknown, prompt: 'A cat' }, ...missing },
  ],
  'images-edits': [
    { body: { model: 'openai/gpt-image-2.5-sunburst', prompt: 'A cat', images: [{ image_url: pixel }] } },
    { body: { ...unknown, prompt: 'A cat', images: [{ image_url: pixel }] }, ...missing },
  ],
  moderations: [{ body: { input: 'Hi' } }, { body: { ...unknown, input: 'Hi' }, ...missing }],
  'realtime-client-secrets': [
    // The tenant of the tests has a budget. Moderations, which the same function serves, call a provider.
    { body: { session: { type: 'realtime', model: 'openai/gpt-realtime-2.1' } }, status: 403 },
    { body: { session: { type: 'realtime', ...unknown } }, ...missing },
  ],
  rerank: [
    { body: { model: 'amazon/rerank-v1', query: 'Hi', documents: ['Hello'] } },
    { body: { ...unknown, query: 'Hi', documents: ['Hello'] }, ...missing },
  ],
  'audio-transcriptions': [
    { form: { file: recording, model: 'openai/whisper-1' } },
    { form: { file: recording, ...unknown }, ...missing },
  ],
  'audio-speech': [
    { body: { model: 'openai/tts-1', input: 'Hi', voice: 'alloy' } },
    { body: { ...unknown, input: 'Hi', voice: 'alloy' }, ...missing },
  ],
  models: [{}, { query: { allowed: 'true' } }],
  'models-retrieve': [{ path: { model: openai } }, { path: unknown, ...missing }],
  'usage-retrieve': [{}],
  'usage-request': [{}],
  openapi: [{}],
  // Last, as it deletes what others read.
  'responses-delete': [{}],
};
