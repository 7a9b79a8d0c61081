/** LangChain's client for Anthropic, given nothing but a base URL and a key. */
import { ChatAnthropic, type ChatAnthropicInput } from '@langchain/anthropic';
import { useGateway } from '../gateways/use-gateway.ts';

/** Starts a sandboxed gateway for the tests of a file, and gives its models once they run. */
export function useLangchainAnthropic(): (model: string, more?: ChatAnthropicInput) => ChatAnthropic {
  const gateway = useGateway();
  return (model, more = {}) =>
    new ChatAnthropic({
      model,
      apiKey: gateway().apiKey,
      anthropicApiUrl: gateway().url,
      maxTokens: 8000,
      maxRetries: 0,
      ...more,
    });
}
