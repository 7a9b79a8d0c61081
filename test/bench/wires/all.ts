/** The wires that are measured; the first is the one that callers speak too. */
import { anthropicWire } from './anthropic.ts';
import { googleWire } from './google.ts';
import { openaiWire } from './openai.ts';
import type { Wire } from './wire.ts';

export const wires: readonly Wire[] = [openaiWire, anthropicWire, googleWire];
