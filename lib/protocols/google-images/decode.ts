/** Reads the image of a Gemini answer. Images that the model made while thinking are not part of the answer. */

import { asArray, asObject } from '../../core/formats/json-object.ts';
import type { ImageProtocol, ImageUsage } from '../../core/generation/image.ts';
import { upstreamError } from '../failure.ts';
import { filtered } from '../google-generate-content/choice-end.ts';
import { readReportedFailure } from '../google-generate-content/failure.ts';
import { readUsage } from '../google-generate-content/usage.ts';
import type * as wire from '../google-generate-content/wire.ts';
import { asCount, asOptionalText } from '../json.ts';

/**
 * @throws GatewayError `upstream_content_policy` for a blocked prompt or image, `upstream_invalid_answer` if there is no
 * image for another reason, or the error in the body.
 */
export const decode: ImageProtocol['decode'] = (body, base64) => {
  const answer = asObject<wire.Answer>(body);
  const failure = readReportedFailure(answer);
  if (failure) throw failure;
  const candidates = asArray(answer.candidates).map(asObject<wire.Candidate>);
  const images = candidates.flatMap(imagesOf);
  if (images.length === 0) throw withoutImage(answer, candidates);
  const [format] = images.map(({ mimeType }) => /^image\/([a-z]{1,8})$/.exec(mimeType ?? '')?.[1]);
  return {
    images: images.map(({ data }) => base64(data)),
    usage: countImages(answer.usageMetadata),
    ...(format !== undefined && { outputFormat: format }),
  };
};

function imagesOf(candidate: wire.Candidate): readonly { data: string; mimeType: string | undefined }[] {
  const parts = asArray(asObject<wire.Content>(candidate.content).parts).map(asObject<wire.Part>);
  return parts.flatMap((part) => {
    const { data, mimeType } = asObject<wire.InlineData>(part.inlineData);
    const text = part.thought === true ? undefined : asOptionalText(data);
    return text === undefined ? [] : [{ data: text, mimeType: asOptionalText(mimeType) }];
  });
}

function withoutImage({ promptFeedback }: wire.Answer, candidates: readonly wire.Candidate[]): Error {
  const isBlocked = asOptionalText(asObject<wire.PromptFeedback>(promptFeedback).blockReason) !== undefined;
  const isFiltered = candidates.some(({ finishReason }) => filtered.includes(String(finishReason)));
  return upstreamError(isBlocked || isFiltered ? 'upstream_content_policy' : 'upstream_invalid_answer');
}

/** The usage of a body, also of one without an image. */
export const readImageUsage = (body: unknown): ImageUsage | undefined =>
  countImages(asObject<wire.Answer>(body).usageMetadata);

/** Thoughts count as text. */
function countImages(metadata: unknown): ImageUsage | undefined {
  const usage = readUsage(metadata);
  if (!usage) return undefined;
  const { promptTokens, completionTokens, cachedTokens } = usage;
  const { promptTokensDetails, candidatesTokensDetails, candidatesTokenCount } =
    asObject<wire.Usage>(metadata);
  const reported = countOf(candidatesTokensDetails, 'IMAGE');
  const outputImageTokens = Math.min(reported ?? asCount(candidatesTokenCount), completionTokens);
  const inputImageTokens = Math.min(countOf(promptTokensDetails, 'IMAGE') ?? 0, promptTokens);
  return {
    inputTokens: promptTokens,
    outputTokens: completionTokens,
    inputTextTokens: promptTokens - inputImageTokens,
    inputImageTokens,
    outputTextTokens: completionTokens - outputImageTokens,
    outputImageTokens,
    cachedTokens,
    raw: [asObject(metadata)],
  };
}

/** The tokens of one modality; undefined if no modality is reported. */
function countOf(details: unknown, modality: string): number | undefined {
  const counts = asArray(details).map(asObject<wire.ModalityCount>);
  if (counts.length === 0) return undefined;
  const own = counts.filter((count) => count.modality === modality);
  return own.reduce((sum, { tokenCount }) => sum + asCount(tokenCount), 0);
}
