/**
 * A server of the operator's own that speaks the OpenAI chat wire: vLLM, Ollama, llama.cpp. Where it is, is a setting;
 * which models it has, the operator's rows in the catalog say. It may have a key or none.
 */
import { compatibleEmbeddings } from '../compatible-embeddings.ts';
import { compatibleProvider } from '../openai-compatible.ts';
import { bearer, keyHeader, type Provider } from '../provider.ts';

const byKey = keyHeader('authorization', bearer);

export const selfHosted: Provider = {
  ...compatibleProvider({
    name: 'self-hosted',
    dialect: { readsThinkTags: true },
    lacks: ['service_tier'],
    // It may stand where the callers may not look: only the gateway's guarded fetch follows their addresses.
    takesImageUrls: false,
  }),
  embeddings: compatibleEmbeddings(),
  settings: ['api-key', 'base-url'],
  isConfigured: (access) => access.baseUrl !== undefined,
  authorize: (request, access, region) => (access.apiKey ? byKey(request, access, region) : request),
};
