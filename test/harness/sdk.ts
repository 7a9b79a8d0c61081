/** The official OpenAI SDK, given nothing but a base URL and a key. */
import OpenAI from 'openai';
import { afterAll, beforeAll } from 'vitest';
import { startTestGateway, type TestGateway } from './gateway.ts';

/** Starts a sandboxed gateway for the tests of a file, and gives a client of it once they run. */
export function useSdk(environment: Record<string, string> = {}): () => OpenAI {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway(environment);
  });
  afterAll(() => gateway?.close());
  return () => new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.apiKey, maxRetries: 0 });
}
