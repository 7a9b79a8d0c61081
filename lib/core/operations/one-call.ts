/** The rows of what makes one call of a model that does not generate texts. */
import type { Operation } from './operation.ts';
import { withKey } from './row-parts.ts';

const stateless = {
  ...withKey,
  reads: ['access', 'catalog', 'state', 'usage'],
  stateItems: ['answer'],
  writes: ['state', 'usage'],
  updates: ['usage'],
} as const;

const ofImages = {
  ...stateless,
  function: 'images-generations',
  endpoint: 'images_generations',
  timeoutSeconds: 600,
  // It holds up to 200 MB of images, which is what Lambda takes of an answer.
  minMemory: 512,
} as const;

/** Both are answered at once, and seldom called. */
const brief = { ...stateless, function: 'moderations', timeoutSeconds: 60 } as const;

/** With what is around the largest file that providers take. Source: OpenAI's and Groq's guides "Speech to text": 25 MB. */
const maxFormBytes = 26 * 1024 * 1024;

export const oneCallRows: readonly Operation[] = [
  {
    ...stateless,
    name: 'embeddings',
    path: '/v1/embeddings',
    endpoint: 'embeddings',
    stateItems: ['answer', 'cached'],
    timeoutSeconds: 120,
  },
  { ...ofImages, name: 'images-generations', path: '/v1/images/generations' },
  { ...ofImages, name: 'images-edits', path: '/v1/images/edits', onlyWithVersion: true, maxFormBytes },
  { ...brief, name: 'moderations', path: '/v1/moderations', endpoint: 'moderations' },
  {
    ...brief,
    name: 'realtime-client-secrets',
    path: '/v1/realtime/client_secrets',
    onlyWithVersion: true,
    endpoint: 'realtime',
  },
  {
    ...stateless,
    name: 'rerank',
    path: '/v1/rerank',
    // Where Cohere's clients send it.
    alsoAt: '/v2/rerank',
    endpoint: 'rerank',
    errors: 'cohere',
    timeoutSeconds: 120,
  },
  {
    ...stateless,
    name: 'audio-speech',
    path: '/v1/audio/speech',
    onlyWithVersion: true,
    endpoint: 'audio_speech',
    timeoutSeconds: 600,
  },
  {
    ...stateless,
    name: 'audio-transcriptions',
    path: '/v1/audio/transcriptions',
    alsoAt: '/v1/audio/translations',
    endpoint: 'audio_transcriptions',
    timeoutSeconds: 600,
    maxFormBytes,
    // A file is in memory beside what is sent of it.
    minMemory: 512,
  },
];
