/** Other providers of the OpenAI chat protocol, Cohere, and hosts that only embed. */
import { alibabaDashscope } from '../alibaba/dashscope.ts';
import { azureCohere } from '../azure/cohere.ts';
import { cohere } from '../cohere/provider.ts';
import { jina, voyage } from '../compatible-embeddings.ts';
import type { Provider } from '../provider.ts';
import { xai } from '../xai/provider.ts';
import { hostProvider } from './host-provider.ts';
import { hostNames, hosts } from './hosts.ts';

/** Hosts with more than their row says. */
const extended: Readonly<Record<string, Provider>> = { xai };

export const compatibleFamily: readonly Provider[] = [
  azureCohere,
  alibabaDashscope,
  cohere,
  ...hostNames.map((name) => extended[name] ?? hostProvider(name, hosts[name])),
  voyage,
  jina,
];
