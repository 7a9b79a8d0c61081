/** Media by URL, fetched for a target that does not fetch them itself: those of the original where it is passed through, else of the request. */
import type { GenerationRequest } from '../../core/generation/request.ts';
import type { Normalized } from '../../normalization/rule.ts';
import type { Generation } from '../../providers/provider.ts';
import { linksToFetch, type RequestMedia } from './request-media.ts';

/** The same request where nothing is fetched. Rejects as `withFetchedMedia`. */
export function fetchForTarget(
  request: GenerationRequest,
  generation: Generation,
  media: RequestMedia,
  signal: AbortSignal,
): Normalized | Promise<Normalized> {
  const { takesImageUrls, takesFileUrls = false } = generation;
  const isUnchanged = request.original
    ? takesImageUrls && takesFileUrls
    : linksToFetch(request, generation).length === 0;
  return isUnchanged ? { request, changes: [] } : fetched(request, generation, media, signal);
}

async function fetched(
  request: GenerationRequest,
  generation: Generation,
  media: RequestMedia,
  signal: AbortSignal,
): Promise<Normalized> {
  const { original } = request;
  if (!original) {
    const { withFetchedMedia } = await import('./fetch-media.ts');
    return { request: await withFetchedMedia(request, generation, media, signal), changes: [] };
  }
  const { withFetchedOriginal } = await import('./fetch-original.ts');
  return await withFetchedOriginal(request, original, generation, media, signal);
}
