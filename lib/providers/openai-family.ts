/** Providers of the OpenAI chat protocol, Cohere, and hosts that only embed. */
import { alibabaDashscope } from './alibaba/dashscope.ts';
import { azureCohere } from './azure/cohere.ts';
import { azure } from './azure/provider.ts';
import { cohere } from './cohere/provider.ts';
import { jina, voyage } from './compatible-embeddings.ts';
import { hostProvider } from './hosts/host-provider.ts';
import { hostNames, hosts } from './hosts/hosts.ts';
import { openai } from './openai/provider.ts';
import type { Provider } from './provider.ts';
import { xai } from './xai/provider.ts';

/** Hosts with more than their row says. */
const extended: Readonly<Record<string, Provider>> = { xai };

export const openaiFamily: readonly Provider[] = [
  openai,
  azure,
  azureCohere,
  alibabaDashscope,
  cohere,
  ...hostNames.map((name) => extended[name] ?? hostProvider(name, hosts[name])),
  voyage,
  jina,
];
