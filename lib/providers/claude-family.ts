/** Providers on wires that came with Claude. */
import { anthropic } from './anthropic/provider.ts';
import { bedrock } from './bedrock/provider.ts';
import type { Provider } from './provider.ts';

export const claudeFamily: readonly Provider[] = [anthropic, bedrock];
