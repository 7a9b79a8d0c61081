/** What calls for images use: as providers count it, and about how much where their counts never came. */
import type { Price } from '../core/catalog/price.ts';
import type { ImageAnswer, ImageEdit, ImageRequest, ImageUsage } from '../core/generation/image.ts';
import { inputOnly, type Usage } from '../core/generation/usage.ts';
import { readSize } from '../protocols/image-shape.ts';
import type { CountedUse } from './use/attempt-use.ts';

/** Without counts of tokens, the use is known where the price is one of images, or what the provider states. */
export function countedBy(
  { images, usage: counted, statedCost }: Pick<ImageAnswer, 'images' | 'usage' | 'statedCost'>,
  { edit }: Pick<ImageRequest, 'edit'>,
  price: Price | undefined,
): CountedUse | undefined {
  const isStated = statedCost !== undefined && price?.statedCost === 'believe';
  if (!counted && price?.image === undefined && !isStated) return undefined;
  const usage = {
    promptTokens: counted?.inputTokens ?? 0,
    cachedTokens: counted?.cachedTokens ?? 0,
    cacheWriteTokens: 0,
    completionTokens: counted?.outputTokens ?? 0,
    reasoningTokens: 0,
    ...(counted && {
      inputImageTokens: counted.inputImageTokens,
      outputImageTokens: counted.outputImageTokens,
    }),
    images: images.length,
    ...(edit && { inputImages: countOf(edit) }),
    ...(statedCost !== undefined && { statedCost }),
  };
  return { usage, raw: counted?.raw[0] };
}

/** Of an answer whose images cannot be read. Where each of them has a price, the use is unknown. */
export const countedWithout = (
  usage: ImageUsage | undefined,
  request: Pick<ImageRequest, 'edit'>,
  price: Price | undefined,
): CountedUse | undefined =>
  usage && price?.image === undefined ? countedBy({ images: [], usage }, request, price) : undefined;

/** How many are sent. */
export const countOf = ({ images, mask, markup }: ImageEdit): number =>
  images.length + (mask ? 1 : 0) + (markup ? 1 : 0);

/** What models count for an image that is sent: about, since it depends on its size and on the model. */
const tokensOfInput = 1_500;

/** About. */
export const inputTokensOf = ({ prompt, parameters: { n = 1 }, edit }: ImageRequest): number =>
  Math.ceil((prompt.length * n) / 4) + (edit ? n * countOf(edit) * tokensOfInput : 0);

/** What OpenAI adds for each unfinished image. Not in its price list: as it was known of its first models. */
export const tokensOfPartial = 100;

/** Of an image of 1024x1024 by OpenAI's first models, by its quality. Later ones count within half and twice as many. */
const tokensOfImage: Readonly<Record<string, number>> = { low: 272, medium: 1_056, high: 4_160 };
const squarePixels = 1024 * 1024;

/** About what a stream has used that has ended before its counts: the whole image, whose drawing goes on or has been paid for. */
export function estimatedStream(request: ImageRequest, partials: number): Usage {
  const { size = 'auto', quality = 'auto' } = request.parameters;
  const { pixels = squarePixels } = readSize(size) ?? {};
  const each = tokensOfImage[quality === 'auto' ? 'medium' : quality] ?? tokensOfImage.high ?? 0;
  const outputImageTokens = Math.ceil((each * pixels) / squarePixels) + partials * tokensOfPartial;
  return {
    ...inputOnly(inputTokensOf(request)),
    completionTokens: outputImageTokens,
    outputImageTokens,
    images: 1,
    ...(request.edit && { inputImages: countOf(request.edit) }),
  };
}
