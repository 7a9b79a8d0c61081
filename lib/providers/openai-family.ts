/** Providers on the chat wire of OpenAI, and those who only embed. */
import { alibaba } from './alibaba/provider.ts';
import { azure } from './azure/provider.ts';
import { cerebras } from './cerebras/provider.ts';
import { cohere } from './cohere/provider.ts';
import { deepseek } from './deepseek/provider.ts';
import { fireworks } from './fireworks/provider.ts';
import { groq } from './groq/provider.ts';
import { huggingface } from './huggingface/provider.ts';
import { jina } from './jina/provider.ts';
import { minimax } from './minimax/provider.ts';
import { mistral } from './mistral/provider.ts';
import { moonshot } from './moonshot/provider.ts';
import { openai } from './openai/provider.ts';
import { openrouter } from './openrouter/provider.ts';
import { perplexity } from './perplexity/provider.ts';
import type { Provider } from './provider.ts';
import { selfHosted } from './self-hosted/provider.ts';
import { together } from './together/provider.ts';
import { voyage } from './voyage/provider.ts';
import { xai } from './xai/provider.ts';
import { zai } from './zai/provider.ts';

export const openaiFamily: readonly Provider[] = [
  openai,
  azure,
  cohere,
  mistral,
  xai,
  deepseek,
  groq,
  together,
  fireworks,
  cerebras,
  openrouter,
  huggingface,
  moonshot,
  alibaba,
  zai,
  minimax,
  perplexity,
  voyage,
  jina,
  selfHosted,
];
