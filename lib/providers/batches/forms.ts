/** The batch APIs that the gateway uses, by the name of their provider. Each is loaded when it is first needed. */
import type { BatchForm } from './batch-form.ts';

type LoadForm = () => Promise<BatchForm>;

const loadRow =
  (name: keyof typeof import('./file-rows.ts')): LoadForm =>
  async () =>
    (await import('./file-rows.ts'))[name];

const forms: Readonly<Record<string, LoadForm>> = {
  openai: loadRow('openaiBatches'),
  azure: loadRow('azureBatches'),
  groq: loadRow('groqBatches'),
  together: loadRow('togetherBatches'),
  mistral: loadRow('mistralBatches'),
  moonshot: loadRow('moonshotBatches'),
  alibaba: loadRow('alibabaBatches'),
  anthropic: async () => (await import('./anthropic.ts')).anthropicBatches,
  xai: async () => (await import('./xai.ts')).xaiBatches,
  bedrock: async () => (await import('./bedrock/form.ts')).bedrockBatches,
  google: async () => (await import('./google/form.ts')).googleBatches,
  'google-vertex': async () => (await import('./google-vertex/form.ts')).vertexGeminiBatches,
  'google-vertex-anthropic': async () => (await import('./google-vertex/form.ts')).vertexClaudeBatches,
};

/** The names of the providers with a batch API. */
export const batchProviders: readonly string[] = Object.keys(forms);

/** The batch API of a provider; undefined where it has none that the gateway uses. */
export const loadBatchForm = async (provider: string): Promise<BatchForm | undefined> =>
  Object.hasOwn(forms, provider) ? await forms[provider]?.() : undefined;
