/** The official OpenAI SDK, given nothing but a base URL and a key. */
import OpenAI from 'openai';
import { useGateway } from '../gateways/use-gateway.ts';

/** Starts a sandboxed gateway for the tests of a file, and gives a client of it once they run. */
export function useSdk(environment: Record<string, string> = {}): () => OpenAI {
  const gateway = useGateway(environment);
  return () => new OpenAI({ baseURL: `${gateway().url}/v1`, apiKey: gateway().apiKey, maxRetries: 0 });
}
