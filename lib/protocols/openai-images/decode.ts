/** Reads an answer of OpenAI's images API. */

import { asArray, asObject } from '../../core/formats/json-object.ts';
import type { ImageAnswer, ImageProtocol, ImageUsage } from '../../core/generation/image.ts';
import { upstreamError } from '../failure.ts';
import { asCount, asOptionalText, isMiscounted } from '../json.ts';
import { readStatedCost } from '../stated-cost.ts';
import { readReportedFailure } from './failure.ts';
import type * as wire from './wire.ts';

/** @throws GatewayError `upstream_invalid_answer` for an answer without images, or the error in the body. */
export const decode: ImageProtocol['decode'] = (body, base64) => {
  const answer = asObject<wire.Answer>(body);
  const failure = readReportedFailure(answer);
  if (failure) throw failure;
  const images = imagesOf(answer.data).map(base64);
  if (images.length === 0) throw upstreamError('upstream_invalid_answer');
  const statedCost = readStatedCost(asObject(answer.usage));
  return {
    images,
    usage: readUsage(answer.usage),
    ...(statedCost !== undefined && { statedCost }),
    ...readEcho(answer),
  };
};

/** The images that contain their data. */
export function imagesOf(data: unknown): readonly string[] {
  return asArray(data).flatMap((image) => asOptionalText(asObject<wire.Image>(image).b64_json) ?? []);
}

/** The usage of a body, also of one without an image. */
export const readImageUsage = (body: unknown): ImageUsage | undefined =>
  readUsage(asObject<wire.Answer>(body).usage);

/** The properties of the images that upstream reports. */
function readEcho(answer: wire.Answer): Omit<ImageAnswer, 'images' | 'usage'> {
  const [quality, size, background] = [answer.quality, answer.size, answer.background].map(asWord);
  const outputFormat = asWord(answer.output_format);
  return {
    ...(quality !== undefined && { quality }),
    ...(size !== undefined && { size }),
    ...(background !== undefined && { background }),
    ...(outputFormat !== undefined && { outputFormat }),
  };
}

/** The value of a setting. A longer text is not one, and may be a placeholder of a long text. */
function asWord(value: unknown): string | undefined {
  const text = asOptionalText(value);
  return text !== undefined && /^[\w.:-]{1,32}$/.test(text) ? text : undefined;
}

/** Undefined if there are no counts: no image is free. Without details, input is text and output is an image. */
function readUsage(value: unknown): ImageUsage | undefined {
  const usage = asObject<wire.Usage>(value);
  const inputTokens = asCount(usage.input_tokens);
  const outputTokens = asCount(usage.output_tokens);
  if (inputTokens + outputTokens === 0 || isMiscounted(usage.input_tokens, usage.output_tokens)) {
    return undefined;
  }
  const input = asObject<wire.Details>(usage.input_tokens_details);
  const output = asObject<wire.Details>(usage.output_tokens_details);
  const inputImageTokens = Math.min(asCount(input.image_tokens), inputTokens);
  const outputTextTokens = Math.min(asCount(output.text_tokens), outputTokens);
  return {
    inputTokens,
    outputTokens,
    inputTextTokens: inputTokens - inputImageTokens,
    inputImageTokens,
    outputTextTokens,
    outputImageTokens: outputTokens - outputTextTokens,
    cachedTokens: Math.min(asCount(input.cached_tokens), inputTokens),
    raw: [usage],
  };
}
