/**
 * What a local gateway says when it is ready: two lines for a shell, who answers for which provider, and a first call.
 */
import { chooseFirstModel } from './first-model.ts';
import type { LocalGateway } from './gateway.ts';

const kinds = {
  real: 'real',
  upstream: 'your upstream',
  sandbox: 'sandbox',
  keyless: 'needs an API key',
} as const;

export function describe({ url, apiKey, providers }: Omit<LocalGateway, 'close'>): string {
  const body = {
    model: chooseFirstModel(providers),
    messages: [{ role: 'user', content: 'Say hello to the gateway.' }],
  };
  const width = Math.max(...providers.map(({ provider }) => provider.length));
  return [
    '',
    'The gateway is ready.',
    '',
    `OPENAI_BASE_URL=${url}/v1`,
    `OPENAI_API_KEY=${apiKey}`,
    '',
    ...providers.map(({ provider, kind }) => `  ${provider.padEnd(width + 2)}${kinds[kind]}`),
    '',
    'Set <PROVIDER>_API_KEY, also in a file .env, to call a provider for real. A first request:',
    '',
    `curl ${url}/v1/chat/completions -H 'Authorization: Bearer ${apiKey}' -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`,
    '',
    'Ctrl-C stops it.',
  ].join('\n');
}
