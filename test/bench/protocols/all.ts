/** The protocols that are measured; the first is the one that callers speak too. */
import { anthropicProtocol } from './anthropic.ts';
import { googleProtocol } from './google.ts';
import { openaiProtocol } from './openai.ts';
import type { Protocol } from './protocol.ts';

export const protocols: readonly Protocol[] = [openaiProtocol, anthropicProtocol, googleProtocol];
