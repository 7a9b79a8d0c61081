/**
 * Writes an image answer in the public format, piece by piece: the images are never joined with the rest or with each
 * other, to save memory.
 */
import type { Base64, ImageAnswer, ImageParameters, ImageUsage } from '../../core/generation/image.ts';
import { type CostInUsage, withCost } from '../charge-so-far.ts';

interface ImageFacts {
  /** Unix seconds. */
  readonly created: number;
  /** The sent parameters, for what upstream does not report. */
  readonly parameters: ImageParameters;
  readonly cost: CostInUsage;
  readonly debug: object | undefined;
}

export function* writeImages(answer: ImageAnswer, facts: ImageFacts): Generator<string> {
  const { created, parameters, cost, debug } = facts;
  const known = {
    created,
    ...writeEcho(answer, parameters),
    ...(answer.usage && { usage: withCost(writeUsage(answer.usage), cost) }),
    ...(debug && { debug }),
  };
  // Without the last brace, so that the images can follow.
  yield `${JSON.stringify(known).slice(0, -1)},"data":[`;
  for (const [index, image] of answer.images.entries()) yield* writeImage(image, index);
  yield ']}';
}

/** Base64 needs no escaping. */
function* writeImage(image: Base64, index: number): Generator<string> {
  yield `${index === 0 ? '' : ','}{"b64_json":"`;
  yield* image;
  yield '"}';
}

/** The properties of the images: as reported by upstream, else as sent. `auto` is omitted. */
function writeEcho(answer: ImageAnswer, parameters: ImageParameters): object {
  const { background, quality, size, output_format: format } = parameters;
  const echoed = {
    background: answer.background ?? background,
    output_format: answer.outputFormat ?? format,
    quality: answer.quality ?? quality,
    size: answer.size ?? size,
  };
  return Object.fromEntries(Object.entries(echoed).filter(([, value]) => value !== 'auto'));
}

function writeUsage(usage: ImageUsage): object {
  const { inputTokens, outputTokens, cachedTokens } = usage;
  return {
    input_tokens: inputTokens,
    input_tokens_details: {
      text_tokens: usage.inputTextTokens,
      image_tokens: usage.inputImageTokens,
      cached_tokens: cachedTokens,
    },
    output_tokens: outputTokens,
    output_tokens_details: { image_tokens: usage.outputImageTokens, text_tokens: usage.outputTextTokens },
    total_tokens: inputTokens + outputTokens,
  };
}
