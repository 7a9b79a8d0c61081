/** LangChain's client for OpenAI, given nothing but a base URL and a key. */
import { ChatOpenAI, type ChatOpenAIFields } from '@langchain/openai';
import { useGateway } from '../gateways/use-gateway.ts';

/** Starts a sandboxed gateway for the tests of a file, and gives its models once they run. */
export function useLangchain(): (model: string, more?: ChatOpenAIFields) => ChatOpenAI {
  const gateway = useGateway();
  return (model, more = {}) =>
    new ChatOpenAI({
      model,
      apiKey: gateway().apiKey,
      configuration: { baseURL: `${gateway().url}/v1` },
      maxRetries: 0,
      ...more,
    });
}
