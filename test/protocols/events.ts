/** Events as decoders emit them for the first choice. */
import { expect } from 'vitest';
import type { FinishReason, GenerationEvent } from '../../lib/core/generation/events.ts';

export const text = (value: string) => ({ type: 'text', choice: 0, text: value }) as const;
export const reasoning = (value: string) => ({ type: 'reasoning', choice: 0, text: value }) as const;
export const finish = (reason: FinishReason) => ({ type: 'finish', choice: 0, reason }) as const;

export const detail = <Detail>(value: Detail) =>
  ({ type: 'reasoning-detail', choice: 0, detail: value }) as const;

/** A call with its complete arguments. */
export const call = (at: number, id: string, name: string, value: string) =>
  [
    { type: 'tool-call', choice: 0, call: at, id, name },
    { type: 'tool-arguments', choice: 0, call: at, text: value },
  ] as const;

/** A source, and the range of the text that cites it. */
export const citation = (url: string, title: string, start_index: number, end_index: number) =>
  ({ type: 'url_citation', url_citation: { url, title, start_index, end_index } }) as const;

export const cited = (...source: Parameters<typeof citation>) =>
  ({ type: 'annotation', choice: 0, annotation: citation(...source) }) as const;

/** The usage in the samples of protocols with blocks: 10 input tokens, 5 output tokens, and the reported object. */
export const usage = (parts: object = {}): GenerationEvent => ({
  type: 'usage',
  usage: {
    promptTokens: 10,
    cachedTokens: 0,
    cacheWriteTokens: 0,
    completionTokens: 5,
    reasoningTokens: 0,
    ...parts,
  },
  raw: expect.any(Object),
});
