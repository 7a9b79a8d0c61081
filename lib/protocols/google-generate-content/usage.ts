/**
 * Token counts of the Gemini API: thoughts are not part of the answer's count, cached tokens are part of the prompt's.
 */

import { asArray, asObject } from '../../core/formats/json-object.ts';
import type { Usage } from '../../core/generation/usage.ts';
import { asCount, isMiscounted } from '../json.ts';
import { readServiceTier } from '../service-tier.ts';
import type * as wire from './wire.ts';

/** Undefined if the metadata has no counts (some frames have only the traffic type), or what is none. */
export function readUsage(metadata: unknown): Usage | undefined {
  const counts = asObject<wire.Usage>(metadata);
  if (counts.promptTokenCount === undefined && counts.totalTokenCount === undefined) return undefined;
  const { promptTokenCount, candidatesTokenCount, thoughtsTokenCount } = counts;
  if (isMiscounted(promptTokenCount, candidatesTokenCount, thoughtsTokenCount)) return undefined;
  const promptTokens = asCount(promptTokenCount) + asCount(counts.toolUsePromptTokenCount);
  const inputAudioTokens = Math.min(audioIn(counts.promptTokensDetails), promptTokens);
  const cachedTokens = Math.min(asCount(counts.cachedContentTokenCount), promptTokens);
  const reasoningTokens = asCount(thoughtsTokenCount);
  return {
    promptTokens,
    cachedTokens,
    cacheWriteTokens: 0,
    completionTokens: asCount(candidatesTokenCount) + reasoningTokens,
    reasoningTokens,
    ...(inputAudioTokens > 0 && {
      inputAudioTokens,
      ...cachedAudioOf(counts.cacheTokensDetails, Math.min(cachedTokens, inputAudioTokens)),
    }),
  };
}

/** How much of the audio was in a cache; nothing if the answer does not say. Source: `cacheTokensDetails` of UsageMetadata. */
const cachedAudioOf = (details: unknown, most: number): Pick<Usage, 'cachedAudioTokens'> =>
  Array.isArray(details) ? { cachedAudioTokens: Math.min(audioIn(details), most) } : {};

function audioIn(details: unknown): number {
  const counts = asArray(details).map(asObject<wire.ModalityCount>);
  return counts.reduce(
    (sum, { modality, tokenCount }) => sum + (modality === 'AUDIO' ? asCount(tokenCount) : 0),
    0,
  );
}

/** The tier: `serviceTier` of the Gemini API, `trafficType` of Vertex. Frames before the last may have only this. */
export function readTier(metadata: unknown): string | undefined {
  const { serviceTier, trafficType } = asObject<wire.Usage>(metadata);
  return readServiceTier(serviceTier) ?? readServiceTier(trafficType);
}
