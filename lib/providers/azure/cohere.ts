/**
 * Cohere's models at a resource of Azure, beside OpenAI's: of the same account, below another path. Source: Azure AI Foundry, "How to
 * deploy Cohere Rerank models"; its endpoint `<resource>.services.ai.azure.com/providers/cohere/v2/rerank`.
 */
import { cohereRerank } from '../../protocols/rerank.ts';
import type { Provider } from '../provider.ts';
import { rerankBy } from '../rerank-rules.ts';
import { azure } from './provider.ts';

const { settings = [], isConfigured, authorize } = azure;

export const azureCohere: Provider = {
  name: 'azure-cohere',
  account: azure.name,
  settings,
  isConfigured,
  authorize,
  besideBaseUrl: (set) =>
    `${set.replace(/\/openai(\/v1)?$/, '').replace(/\.openai\.azure\.com$/, '.services.ai.azure.com')}/providers/cohere/v2`,
  rerank: rerankBy(cohereRerank, 'max_tokens_per_doc'),
};
