/** What the images operation contributes to the pipeline: the request as each target takes it. */

import type { Target } from '../../core/catalog/model.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import type { ImageRequest } from '../../core/generation/image.ts';
import type { MaxTokens } from '../../metering/limits/highest-cost.ts';
import { applyParameterRules } from '../../normalization/parameter-rules.ts';
import type { Change } from '../../normalization/rule.ts';
import { callImages, type GeneratedImages, type ImageCall } from '../../pipeline/call-images.ts';
import type { ModelTask } from '../../pipeline/model-task.ts';
import type { Providers } from '../../providers/provider.ts';
import type { ImagesInput } from './read.ts';

export interface PreparedImages extends ImageCall {
  readonly changes: readonly Change[];
}

export function imagesTask(
  { providers }: { readonly providers: Providers },
  { model, fallbacks, preferences, request }: ImagesInput,
): ModelTask<PreparedImages, GeneratedImages> {
  return {
    endpoint: 'images_generations',
    model,
    fallbacks,
    preferences,
    needs: [{ modality: 'text' }],
    canServe: ({ images }) => images !== undefined,
    inputTokens: () => Math.ceil((request.prompt.length * (request.parameters.n ?? 1)) / 4),
    maxTokens: () => maxTokens(request),
    firstOutputMs: ({ model: { timeouts } }) => timeouts.bodyMs * firstTargetShare,
    prepare: (target) => prepare(providers, target, request),
    call: callImages,
  };
}

/** A target's share of its timeout while another target is left: two have to fit into the time of one request. */
const firstTargetShare = 0.5;

function prepare(providers: Providers, target: Target, request: ImageRequest): PreparedImages {
  const provider = providers.get(target.deployment.provider);
  const images = provider?.images;
  if (!provider || !images) {
    const message = `The catalog names the provider '${target.deployment.provider}', which generates no images.`;
    throw new GatewayError('upstream_model_missing', message);
  }
  const { parameters, changes } = applyParameterRules(request.parameters, images.rules, (now) => ({
    request,
    parameters: now,
    target,
  }));
  return { provider, images, target, request: { ...request, parameters }, finished: new Map(), changes };
}

/** The tokens of the largest image at high quality, with a margin; above it, four times as many are assumed: no source states them. */
const maxForImage = { normal: 16_384, highest: 65_536 } as const;

const highest: readonly unknown[] = ['xhigh', 'max'];

/** What protocols add around a prompt, in tokens. */
const overhead = 64;

/** No token is shorter than a byte. */
function maxTokens({ prompt, parameters: { n = 1, quality } }: ImageRequest): MaxTokens {
  const each = highest.includes(quality) ? maxForImage.highest : maxForImage.normal;
  return { input: n * (Buffer.byteLength(prompt) + overhead), output: n * each, calls: n, images: n };
}
