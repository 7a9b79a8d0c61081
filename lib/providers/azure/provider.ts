/**
 * Azure OpenAI: OpenAI's protocols and models at a resource of the operator's own, whose base URL is a setting. A
 * deployment there has the model's name, or the one in its catalog row.
 */
import { openai } from '../openai/provider.ts';
import { platformResponses } from '../openai/responses.ts';
import { hasKey, keyHeader, type Provider } from '../provider.ts';

export const azure: Provider = {
  name: 'azure',
  settings: ['api-key', 'base-url', 'batch-suffix'],
  isConfigured: (access) => hasKey(access) && access.baseUrl !== undefined,
  authorize: keyHeader('api-key'),
  generation: openai.generation,
  images: openai.images,
  embeddings: openai.embeddings,
  speech: openai.speech,
  transcription: openai.transcription,
  ...platformResponses({
    reasoningFormat: 'azure-responses-v1',
    searchesWeb: false,
    takesFileUrls: false,
    fileTypes: [],
  }),
};
