/** One gateway for the tests of a file. */
import { afterAll, beforeAll } from 'vitest';
import { startTestGateway, type TestGateway } from './gateway.ts';

/** Starts it before the tests and gives it once they run. Providers without a variable here are sandboxed. */
export function useGateway(environment: Record<string, string> = {}): () => TestGateway {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway(environment);
  });
  afterAll(() => gateway?.close());
  return () => gateway;
}
