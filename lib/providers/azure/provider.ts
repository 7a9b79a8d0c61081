/**
 * Azure OpenAI: OpenAI's wire and models at a resource of the operator's own, whose base URL is a setting. A deployment
 * there has the model's name, or the one that its catalog row gives.
 */
import { openai } from '../openai/provider.ts';
import { hasKey, keyHeader, type Provider } from '../provider.ts';

export const azure: Provider = {
  name: 'azure',
  settings: ['api-key', 'base-url'],
  isConfigured: (access) => hasKey(access) && access.baseUrl !== undefined,
  authorize: keyHeader('api-key'),
  generation: openai.generation,
};
