/** Providers that serve Claude by protocols of their own. */
import { anthropic } from '../anthropic/provider.ts';
import { bedrock } from '../bedrock/provider.ts';
import type { Provider } from '../provider.ts';

export const claudeFamily: readonly Provider[] = [anthropic, bedrock];
