/**
 * What a local gateway says when it is ready: two lines for a shell, who answers for which provider, and a first call.
 */
import type { ProviderChoice } from './environment.ts';
import type { LocalGateway } from './gateway.ts';

const kinds = { real: 'real', upstream: 'your upstream', sandbox: 'sandbox' } as const;

/** A model of a provider that is real, else of any. */
const firstModels: Readonly<Record<string, string>> = {
  openai: 'openai/gpt-5.4-mini',
  anthropic: 'anthropic/claude-haiku-4-5',
  google: 'google/gemini-3.5-flash',
};

export function describe({ url, apiKey, providers }: Omit<LocalGateway, 'close'>): string {
  const body = {
    model: firstModel(providers),
    messages: [{ role: 'user', content: 'Say hello to the gateway.' }],
  };
  return [
    '',
    'The gateway is ready.',
    '',
    `OPENAI_BASE_URL=${url}/v1`,
    `OPENAI_API_KEY=${apiKey}`,
    '',
    ...providers.map(({ provider, kind }) => `  ${provider.padEnd(12)}${kinds[kind]}`),
    '',
    'Set <PROVIDER>_API_KEY, also in a file .env, to call a provider for real. A first request:',
    '',
    `curl ${url}/v1/chat/completions -H 'Authorization: Bearer ${apiKey}' -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`,
    '',
    'Ctrl-C stops it.',
  ].join('\n');
}

function firstModel(providers: readonly ProviderChoice[]): string {
  const known = providers.filter(({ provider }) => provider in firstModels);
  const chosen = known.find(({ kind }) => kind === 'real') ?? known[0];
  return firstModels[chosen?.provider ?? ''] ?? 'openai/gpt-5.4-mini';
}
