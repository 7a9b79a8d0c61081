/** OpenAI and Azure, which most functions connect to first. */
import { azure } from './azure/provider.ts';
import { openai } from './openai/provider.ts';
import type { Provider } from './provider.ts';

export const openaiFamily: readonly Provider[] = [openai, azure];
