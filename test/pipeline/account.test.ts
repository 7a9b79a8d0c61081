/** A provider without credentials: the error names the provider and what an operator has to set. */

import { expect, test } from 'vitest';
import type { Target } from '../../lib/core/catalog/model.ts';
import { GatewayError } from '../../lib/core/errors/errors.ts';
import { type Connections, expectSuccess, openAccount } from '../../lib/pipeline/use/account.ts';
import { providers } from '../../lib/providers/all-providers.ts';
import { connectionsBy } from '../harness/connections.ts';
import { testAttempt } from '../harness/ledger.ts';

const unused = () => Promise.reject(new Error('It must not be called.'));

const connections: Connections = { ...connectionsBy(unused), fetchMedia: unused };

const target: Target = {
  model: {
    id: 'acme/one',
    owner: 'acme',
    created: 0,
    status: 'active',
    endpoints: ['chat_completions'],
    modalities: { input: ['text'], output: ['text'] },
    limits: { context: null, input: null, output: null },
    traits: { refuses: [], refusesWhileReasoning: [] },
    prices: [],
    deployments: [],
    timeouts: { connectMs: 1, firstByteMs: 1, bodyMs: 1, idleMs: 1 },
  },
  deployment: { provider: 'acme', region: 'global', upstreamId: 'one' },
};

test('a token that credentials were exchanged for is in no error', async () => {
  const token = 'ya29.a-token-of-an-hour';
  async function* body() {
    yield Buffer.from(JSON.stringify({ error: { code: 400, message: `No: Bearer ${token}` } }));
  }
  const provider = providers.get('google-vertex');
  if (!provider?.generation) throw new Error('It generates nothing.');
  const settings = { project: 'p', credentials: '{"private_key":"a-private-key-of-it"}' };
  const account = await openAccount(
    provider,
    target,
    'body',
    {
      ...connections,
      send: async () => ({ status: 400, headers: {}, body: body() }),
      findAccess: async () => ({ settings, findToken: async () => token }),
    },
    { signal: new AbortController().signal, attempt: testAttempt() },
  );
  const failure = expectSuccess(await account.post('/one', {}), {
    readFailure: ({ body: text }) => new GatewayError('upstream_bad_request', text),
  });
  await expect(failure).rejects.toThrow('No: Bearer [removed]');
});

test.each([
  ['groq', "No API key is configured for provider 'groq' (set GROQ_API_KEY)."],
  ['azure', "No credentials are configured for provider 'azure' (set AZURE_API_KEY, AZURE_UPSTREAM_URL)."],
  [
    'google-vertex-anthropic',
    "No credentials are configured for provider 'google-vertex-anthropic' (set GOOGLE_VERTEX_PROJECT, GOOGLE_VERTEX_LOCATION, GOOGLE_VERTEX_CREDENTIALS, GOOGLE_VERTEX_API_KEY).",
  ],
])('%s', async (name, message) => {
  const provider = providers.get(name);
  if (!provider) throw new Error(`No provider is named ${name}.`);
  const account = openAccount(provider, target, 'body', connections, {
    signal: new AbortController().signal,
    attempt: testAttempt(),
  });
  await expect(account).rejects.toMatchObject({ kind: 'upstream_credentials', status: 500, message });
});
