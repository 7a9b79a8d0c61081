/** Generates images with one target: adapts the request to it. */

import type { Finished } from '../../async/map-concurrently.ts';
import { GatewayError } from '../../core/errors.ts';
import type { ImageParameters, ImageRequest } from '../../core/generation/image.ts';
import type { Target } from '../../core/model.ts';
import type { Change } from '../../normalization/rule.ts';
import { type Settled, settle } from '../../normalization/settle.ts';
import { draw, type GeneratedImages } from '../../pipeline/generate-images.ts';
import type { Images, Provider } from '../../providers/provider.ts';
import type { RouteParts } from '../route.ts';

/** The images of a target, and the parameters that were sent. */
export interface ImagesFromTarget extends GeneratedImages {
  readonly parameters: ImageParameters;
  readonly changes: readonly Change[];
}

export interface ImagesToGenerate {
  readonly request: ImageRequest;
  readonly limitMs: number | undefined;
  /** The images of earlier attempts of this target. */
  readonly finished: Finished<GeneratedImages>;
}

/** @throws GatewayError `invalid_request` if the target does not support something that must not be ignored. */
export function checkTarget(parts: RouteParts, target: Target, request: ImageRequest): void {
  settleFor(imagesOf(parts, target).images, target, request);
}

export async function askTarget(
  { connections, ...parts }: RouteParts,
  target: Target,
  { request, limitMs, finished }: ImagesToGenerate,
  signal: AbortSignal,
): Promise<ImagesFromTarget> {
  const { provider, images } = imagesOf(parts, target);
  const { parameters, changes } = settleFor(images, target, request);
  const settled = { ...request, parameters };
  const firstByteMs = connections.timeouts.firstByteMs ?? limitMs;
  const timeouts = { ...connections.timeouts, ...(firstByteMs !== undefined && { firstByteMs }) };
  const generated = await draw(
    provider,
    images,
    target,
    settled,
    { ...connections, timeouts },
    signal,
    finished,
  );
  return { ...generated, parameters, changes };
}

function settleFor(images: Images, target: Target, request: ImageRequest): Settled<ImageParameters> {
  return settle(request.parameters, images.rules, (parameters) => ({ request, parameters, target }));
}

function imagesOf(
  { providers }: Pick<RouteParts, 'providers'>,
  { deployment }: Target,
): { provider: Provider; images: Images } {
  const provider = providers.get(deployment.provider);
  if (provider?.images) return { provider, images: provider.images };
  throw new GatewayError('upstream_model_missing', 'The catalog names a provider without image generation.');
}
