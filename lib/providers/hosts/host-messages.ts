/**
 * A host that also serves the Anthropic protocol, below the same address and with the same bearer key. Sources: the documentation
 * of vLLM, SGLang, llama.cpp (its pull request 17570), Ollama ("Anthropic compatibility"), LM Studio ("Anthropic Compatible
 * Endpoints") and LiteLLM ("/v1/messages"). Each takes a bearer key; Ollama's own cloud takes no other.
 */
import { anthropicMessages, messagesCounter } from '../../protocols/anthropic-messages/protocol.ts';
import type { Provider } from '../provider.ts';
import type { HostProvider } from './host-provider.ts';

/** Where the host does not count, the gateway estimates: it answers 404. */
export function servingMessages(host: HostProvider): Provider {
  const generation = { ...host.generation, protocol: anthropicMessages, counter: messagesCounter };
  return { ...host, messages: () => generation };
}
