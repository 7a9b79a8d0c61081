/** Every provider that the catalog names is simulated and tested, and each test model is answered by its own provider. */
import { describe, expect, test } from 'vitest';
import { seedRows } from '../../infra/catalog/seed.ts';
import { providers } from '../../lib/providers/all-providers.ts';
import { settingsOf } from '../../lib/providers/provider.ts';
import { readModelRow } from '../../lib/stores/catalog/model-row.ts';
import { sandboxRoutes } from '../../local/providers.ts';
import { useGateway } from '../harness/gateways/use-gateway.ts';
import { embedderRows } from '../harness/matrix/embedders.ts';
import { imageRows } from '../harness/matrix/images.ts';
import { pinnedId } from '../harness/matrix/pinned-id.ts';
import { providerRows } from '../harness/matrix/providers.ts';
import { rerankerRows } from '../harness/matrix/rerankers.ts';

const models = seedRows.map((row) => readModelRow(row));

/** The providers whose deployments serve an operation. */
const serving = (endpoint: string) => {
  const served = models.filter(
    ({ endpoints, status }) => status !== 'retired' && endpoints.some((one) => one === endpoint),
  );
  return [...new Set(served.flatMap(({ deployments }) => deployments.map(({ provider }) => provider)))];
};

/** The provider under whose name the sandbox answers: some are one account with several protocols. */
function simulatedAs(name: string): string {
  const provider = providers.get(name);
  return provider ? settingsOf(provider).account : name;
}

describe('every provider of the catalog', () => {
  test('is simulated by the sandbox', () => {
    const simulated = sandboxRoutes.map(({ provider }) => provider);
    const used = models.flatMap(({ deployments }) => deployments.map(({ provider }) => provider));
    const missing = [...new Set([...providers.keys(), ...used])].filter(
      (name) => !simulated.includes(simulatedAs(name)),
    );
    expect(missing, 'providers without a route in local/providers.ts').toEqual([]);
  });

  test.each([
    ['chat_completions', providerRows, 'a row in test/harness/matrix/providers.ts or the host table'],
    ['responses', providerRows, 'a row in test/harness/matrix/providers.ts or the host table'],
    ['embeddings', embedderRows, 'a row in test/harness/matrix/embedders.ts'],
    ['rerank', rerankerRows, 'a row in test/harness/matrix/rerankers.ts'],
    ['images_generations', imageRows, 'a row in test/harness/matrix/images.ts'],
  ])('has a test model for %s', (endpoint, rows, needed) => {
    const tested = (rows as readonly { provider: string }[]).map(({ provider }) => provider);
    const missing = serving(endpoint).filter((name) => !tested.includes(name));
    expect(missing, `providers without ${needed}`).toEqual([]);
  });

  test('is the only one that serves its test models', () => {
    expect(() => pinnedId('minimax/minimax-m2.7', 'cerebras')).toThrow(
      'The catalog has no deployment of minimax/minimax-m2.7 at cerebras',
    );
    expect(() => pinnedId('meta/no-such-model', 'groq')).toThrow('is not in the catalog');
  });
});

describe('a test model is answered by the sandbox of its own provider', () => {
  const gateway = useGateway();
  const pairs = providerRows.flatMap(({ provider, model, reasoning = model }) =>
    [...new Set([model, reasoning])].map((id) => [provider, id] as const),
  );

  test.each(pairs)('%s: %s', async (provider, model) => {
    const messages = [{ role: 'user', content: 'Hello' }];
    const extra = { debug: ['routing'] };
    const response = await gateway().post('/v1/chat/completions', { model, messages, extra });
    const body = (await response.json()) as {
      readonly choices: readonly { readonly message: { readonly content: string } }[];
      readonly debug: { readonly routing: readonly object[] };
    };
    expect(body.choices[0]?.message.content).toContain(`This is the ${simulatedAs(provider)} sandbox`);
    expect(body.debug.routing).toEqual([expect.objectContaining({ provider, status: 'succeeded' })]);
  });
});
