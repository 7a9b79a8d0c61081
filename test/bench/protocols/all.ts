/** The protocols that are measured; the first is also that of the callers. */
import { anthropicProtocol } from './anthropic.ts';
import { googleProtocol } from './google.ts';
import { openaiProtocol } from './openai.ts';
import type { Protocol } from './protocol.ts';

export const protocols: readonly Protocol[] = [openaiProtocol, anthropicProtocol, googleProtocol];
