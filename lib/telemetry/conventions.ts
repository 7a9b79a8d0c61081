/**
 * The words of the conventions for generative AI. Source: open-telemetry/semantic-conventions-genai, docs/gen-ai/gen-ai-spans.md and
 * gen-ai-metrics.md: operations, and providers with a name of their own there. All of it has the status "Development".
 */
import type { OperationName } from '../core/operations.ts';

const ownOperations: Partial<Record<OperationName, string>> = {
  completions: 'text_completion',
  embeddings: 'embeddings',
  'images-generations': 'generate_content',
};

/** Responses and Messages are chats, too. */
export const operationOf = (name: OperationName): string => ownOperations[name] ?? 'chat';

const ownProviders: Readonly<Record<string, string>> = {
  azure: 'azure.ai.openai',
  bedrock: 'aws.bedrock',
  google: 'gcp.gemini',
  'google-vertex': 'gcp.vertex_ai',
  'google-vertex-anthropic': 'gcp.vertex_ai',
  mistral: 'mistral_ai',
  moonshot: 'moonshot_ai',
  xai: 'x_ai',
};

/** Any other provider has its own name. */
export const providerOf = (name: string): string =>
  (Object.hasOwn(ownProviders, name) ? ownProviders[name] : undefined) ?? name;
