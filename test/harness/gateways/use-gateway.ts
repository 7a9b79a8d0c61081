/** One gateway for the tests of a file. */
import { use } from '../use.ts';
import { startTestGateway, type TestGateway } from './gateway.ts';

/** Starts it before the tests and gives it once they run. Providers without a variable here are sandboxed. */
export function useGateway(environment: Record<string, string> = {}): () => TestGateway {
  const gateway = use(() => startTestGateway(environment));
  return () => gateway;
}
