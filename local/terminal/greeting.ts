/** What a local gateway prints when it is ready: the variables of SDKs and of Claude Code, the providers, and a first request. */
import { seedRows } from '../../infra/catalog/seed.ts';
import { priceAt } from '../../lib/core/accounting/price.ts';
import type { Model } from '../../lib/core/catalog/model.ts';
import { readModelRow } from '../../lib/stores/catalog/model-row.ts';
import type { ProviderChoice } from '../environment.ts';
import type { LocalGateway } from '../gateway.ts';

const kinds = {
  real: 'real',
  upstream: 'your upstream',
  sandbox: 'sandbox',
  nothing: 'not called',
} as const;

type Described = Pick<LocalGateway, 'url' | 'apiKey' | 'apiKeyFile' | 'dashboardUrl' | 'providers'>;

export function describe({ url, apiKey, apiKeyFile, dashboardUrl, providers }: Described): string {
  const body = {
    model: chooseFirstModel(providers),
    messages: [{ role: 'user', content: 'Say hello to the gateway.' }],
  };
  const width = Math.max(...providers.map(({ provider }) => provider.length));
  const providerLines = providers.map(({ provider, kind, reason }) => {
    const because = reason === undefined ? '' : ` (${reason})`;
    return `  ${provider.padEnd(width + 2)}${kinds[kind]}${because}`;
  });
  return [
    '',
    'The gateway is ready.',
    '',
    ...providerLines,
    '',
    'To call a provider for real, set <PROVIDER>_API_KEY in the environment or in .env, and start again.',
    'The sandbox answers the others: its text and tool calls are made up.',
    '',
    'The dashboard, in a browser of this machine (the address works once; for another one: npm run gateway -- dashboard):',
    '',
    dashboardUrl,
    '',
    'A first request:',
    '',
    `curl ${url}/v1/chat/completions -H 'Authorization: Bearer ${apiKey}' -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`,
    '',
    `OPENAI_BASE_URL=${url}/v1`,
    `OPENAI_API_KEY=${apiKey}`,
    '',
    "For Claude Code and Anthropic's SDKs:",
    '',
    `ANTHROPIC_BASE_URL=${url}`,
    `ANTHROPIC_AUTH_TOKEN=$(cat ${inShell(apiKeyFile)})`,
    '',
    `The API key is stored in ${apiKeyFile}. Press Ctrl-C to stop.`,
    '',
  ].join('\n');
}

/** A path as one word of a shell. */
const inShell = (path: string): string =>
  /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;

/** One line that repeats how to call the gateway, once the lines above have scrolled away. */
export const reminderOf = ({ url, apiKeyFile }: Pick<Described, 'url' | 'apiKeyFile'>): string =>
  `-- Base URL: ${url}/v1, API key: in ${apiKeyFile}`;

/** For a gateway that other machines can reach. */
export const openWarning = (host: string): string =>
  [
    `WARNING: HOST is ${host}, so every machine that can reach this one can call the gateway.`,
    'It speaks plain HTTP: keys, prompts and answers can be read on the way. Put a proxy with TLS before it, or remove HOST.',
    '',
  ].join('\n');

/**
 * The model of the first request: the cheapest chat model, of a real provider if there is one. Undefined if none of them serves a model
 * of the catalog.
 */
export function chooseFirstModel(choices: readonly ProviderChoice[]): string | undefined {
  const real = choices.filter(({ kind }) => kind === 'real');
  return cheapestOf(real) ?? cheapestOf(choices);
}

function cheapestOf(choices: readonly ProviderChoice[]): string | undefined {
  const providers = new Set(choices.map(({ provider }) => provider));
  const served = seedRows
    .map((row) => readModelRow(row))
    .filter(({ deployments }) => providers.has(deployments[0]?.provider ?? ''))
    .filter(({ status, endpoints }) => status === 'active' && endpoints.includes('chat_completions'));
  return served.toSorted((one, other) => priceOf(one) - priceOf(other))[0]?.id;
}

function priceOf({ prices }: Model): number {
  const now = priceAt(prices, Date.now() / 1000)?.price;
  return now === undefined ? Number.POSITIVE_INFINITY : now.input + now.output;
}
