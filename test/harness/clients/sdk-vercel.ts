/** Vercel's AI SDK with its provider for OpenAI-compatible hosts, given nothing but a base URL and a key. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModel } from 'ai';
import { useGateway } from '../gateways/use-gateway.ts';

/** Starts a sandboxed gateway for the tests of a file, and gives its models once they run. */
export function useVercel(): (model: string) => LanguageModel {
  const gateway = useGateway();
  return (model) =>
    createOpenAICompatible({
      name: 'gateway',
      baseURL: `${gateway().url}/v1`,
      apiKey: gateway().apiKey,
      includeUsage: true,
      supportsStructuredOutputs: true,
    })(model);
}
