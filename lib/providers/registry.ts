/** Every provider the gateway can call, once. */
import { anthropic } from './anthropic/provider.ts';
import { bedrock } from './bedrock/provider.ts';
import { google } from './google/provider.ts';
import { openai } from './openai/provider.ts';
import type { Provider } from './provider.ts';

export const providers: ReadonlyMap<string, Provider> = new Map(
  [openai, anthropic, google, bedrock].map((provider) => [provider.name, provider]),
);
