/** Every target of the fuzzer. */
import { loadSamples } from '../samples.ts';
import { embeddingTargets } from './embeddings.ts';
import { failureTargets } from './failures.ts';
import { framingTargets } from './framing.ts';
import { generationTargets } from './generation.ts';
import { imageTargets } from './images.ts';
import { requestTargets } from './requests.ts';
import type { Target } from './target.ts';

export async function loadTargets(): Promise<readonly Target[]> {
  const protocols = await loadSamples();
  return [
    ...protocols.flatMap(generationTargets),
    ...embeddingTargets(),
    ...imageTargets(),
    ...failureTargets(),
    ...framingTargets(protocols),
    ...requestTargets(),
  ];
}
