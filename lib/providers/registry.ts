/**
 * Every provider the gateway can call, once. A function starts without any and loads those that its requests are sent to,
 * with the rest of their family: most of their code is shared, and many small files load slower than a few.
 */
import type { Provider, Providers } from './provider.ts';

interface Family {
  readonly load: () => Promise<readonly Provider[]>;
  readonly names: readonly string[];
}

const families: readonly Family[] = [
  {
    load: async () => (await import('./openai-family.ts')).openaiFamily,
    names: [
      'openai',
      'azure',
      'cohere',
      'mistral',
      'xai',
      'deepseek',
      'groq',
      'together',
      'fireworks',
      'cerebras',
      'openrouter',
      'huggingface',
      'moonshot',
      'alibaba',
      'zai',
      'minimax',
      'perplexity',
      'voyage',
      'jina',
      'self-hosted',
    ],
  },
  { load: async () => (await import('./claude-family.ts')).claudeFamily, names: ['anthropic', 'bedrock'] },
  {
    load: async () => (await import('./google-family.ts')).googleFamily,
    names: ['google', 'google-vertex', 'google-vertex-anthropic'],
  },
];

export function createProviders(): Providers {
  const loaded = new Map<string, Provider>();
  return {
    async load(name) {
      const family = loaded.has(name) ? undefined : families.find(({ names }) => names.includes(name));
      for (const provider of (await family?.load()) ?? []) loaded.set(provider.name, provider);
      return loaded.get(name);
    },
    get: (name) => loaded.get(name),
  };
}

/** For what looks at each of them: checks, commands, the local gateway. */
export async function loadAllProviders(): Promise<ReadonlyMap<string, Provider>> {
  const all = await Promise.all(families.map(({ load }) => load()));
  return new Map(all.flat().map((provider) => [provider.name, provider]));
}

/** Names under which a provider can be loaded. */
export const providerNames: readonly string[] = families.flatMap(({ names }) => names);
