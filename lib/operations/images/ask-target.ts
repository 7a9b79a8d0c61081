/** One target asked to draw: the request as the target takes it, and its images. */

import type { Finished } from '../../async/map-concurrently.ts';
import { GatewayError } from '../../core/errors.ts';
import type { ImageParameters, ImageRequest } from '../../core/generation/image.ts';
import type { Target } from '../../core/model.ts';
import { type AppliedRules, applyParameterRules } from '../../normalization/parameter-rules.ts';
import type { Change } from '../../normalization/rule.ts';
import { draw, type GeneratedImages } from '../../pipeline/generate-images.ts';
import type { Images, Provider } from '../../providers/provider.ts';
import type { RouteParts } from '../route.ts';

/** What a target drew, and what it was told to. */
export interface ImagesFromTarget extends GeneratedImages {
  readonly parameters: ImageParameters;
  readonly changes: readonly Change[];
}

export interface ImagesToGenerate {
  readonly request: ImageRequest;
  readonly limitMs: number | undefined;
  /** What earlier tries of this target have drawn. */
  readonly finished: Finished<GeneratedImages>;
}

/** @throws GatewayError `invalid_request` for what the target cannot do and must not leave out. */
export function checkTarget(parts: RouteParts, target: Target, request: ImageRequest): void {
  settleFor(wireOf(parts, target).images, target, request);
}

export async function askTarget(
  { connections, ...parts }: RouteParts,
  target: Target,
  { request, limitMs, finished }: ImagesToGenerate,
  signal: AbortSignal,
): Promise<ImagesFromTarget> {
  const { provider, images } = wireOf(parts, target);
  const { parameters, changes } = settleFor(images, target, request);
  const told = { ...request, parameters };
  const firstByteMs = connections.timeouts.firstByteMs ?? limitMs;
  const timeouts = { ...connections.timeouts, ...(firstByteMs !== undefined && { firstByteMs }) };
  const drawn = await draw(provider, images, target, told, { ...connections, timeouts }, signal, finished);
  return { ...drawn, parameters, changes };
}

function settleFor(images: Images, target: Target, request: ImageRequest): AppliedRules<ImageParameters> {
  return applyParameterRules(request.parameters, images.rules, (parameters) => ({
    request,
    parameters,
    target,
  }));
}

function wireOf(
  { providers }: Pick<RouteParts, 'providers'>,
  { deployment }: Target,
): { provider: Provider; images: Images } {
  const provider = providers.get(deployment.provider);
  if (provider?.images) return { provider, images: provider.images };
  throw new GatewayError('upstream_model_missing', 'The catalog names a provider that draws no images.');
}
