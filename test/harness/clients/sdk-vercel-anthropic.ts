/** Vercel's AI SDK with its provider for Anthropic, given nothing but a base URL and a key. */
import { createAnthropic } from '@ai-sdk/anthropic';
import type { LanguageModel } from 'ai';
import { useGateway } from '../gateways/use-gateway.ts';

/** Starts a sandboxed gateway for the tests of a file, and gives its models once they run. */
export function useVercelAnthropic(): (model: string) => LanguageModel {
  const gateway = useGateway();
  return (model) => createAnthropic({ baseURL: `${gateway().url}/v1`, apiKey: gateway().apiKey })(model);
}
