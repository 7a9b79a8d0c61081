/** Gemini's protocol for images: a generateContent request whose answer is one image. */

import { asArray, asObject, type Wire, withoutUndefined } from '../../core/formats/json-object.ts';
import type {
  EditCall,
  ImageProtocol,
  ImageRequest,
  ImagesOfEdit,
  ImageUsage,
  InputImage,
} from '../../core/generation/image.ts';
import { upstreamError } from '../failure.ts';
import { filtered } from '../google-generate-content/choice.ts';
import { readFailure, readReportedFailure } from '../google-generate-content/failure.ts';
import { readUsage } from '../google-generate-content/usage.ts';
import type * as wire from '../google-generate-content/wire.ts';
import { closestShape, readSize } from '../image-shape.ts';
import { asCount, asOptionalText } from '../json.ts';

/**
 * Images that the model made while thinking are not part of the answer.
 *
 * @throws GatewayError `upstream_content_policy` for a blocked prompt or image, `upstream_invalid_answer` if there is no
 * image for another reason, or the error in the body.
 */
const decode: ImageProtocol['decode'] = (body, base64) => {
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

/** The aspect ratios that every Gemini image model supports. */
const shapes = ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9'] as const;

/** The higher resolutions, by their minimum number of pixels. */
const resolutions = [
  { imageSize: '4K', from: 9_000_000 },
  { imageSize: '2K', from: 2_500_000 },
] as const;

/** An unknown parameter is sent in `generationConfig` under its public name, so that Google rejects it. */
function encode({ prompt, parameters }: ImageRequest): wire.Body {
  // One call generates one image; several images take several calls.
  const {
    n = 1,
    size,
    output_format: format,
    output_compression: compressionQuality,
    ...unknown
  } = parameters;
  const imageConfig = { ...encodeSize(size), ...encodeOutput(format, compressionQuality) };
  return {
    contents: [{ role: 'user', parts: [{ text: prompt }] }],
    generationConfig: withoutUndefined<ImageGeneration>({
      responseModalities: ['IMAGE'],
      candidateCount: n > 1 ? n : undefined,
      imageConfig: Object.keys(imageConfig).length > 0 ? imageConfig : undefined,
      ...unknown,
    }),
  };
}

type ImageGeneration = wire.Config &
  Wire<{ readonly responseModalities: unknown; readonly imageConfig: ImageConfig }>;
type ImageConfig = Wire<{
  readonly aspectRatio: string;
  readonly imageSize: string;
  readonly imageOutputOptions: { readonly mimeType: string; readonly compressionQuality: number };
}>;

/** Without an aspect ratio the model chooses one, which is what `auto` means. */
function encodeSize(text: string | undefined): ImageConfig {
  const size = readSize(text ?? 'auto');
  if (!size) return {};
  const larger = resolutions.find(({ from }) => size.pixels >= from);
  const aspectRatio = closestShape(size, shapes);
  return larger ? { aspectRatio, imageSize: larger.imageSize } : { aspectRatio };
}

/** Supported by Vertex only. */
function encodeOutput(format: string | undefined, compressionQuality: number | undefined): ImageConfig {
  if (format === undefined && compressionQuality === undefined) return {};
  const mimeType = format === undefined ? undefined : `image/${format}`;
  const options = withoutUndefined({ mimeType, compressionQuality });
  return { imageOutputOptions: options };
}

const path = (upstreamId: string) => `/models/${encodeURIComponent(upstreamId)}:generateContent`;

/** The images, and then what is to become of them. */
const edits = {
  path,
  encode(request: ImageRequest, { images }: ImagesOfEdit<InputImage>): EditCall {
    const parts = images.map(({ mediaType: mimeType, base64: data }) => ({ inlineData: { mimeType, data } }));
    return {
      body: { ...encode(request), contents: [{ role: 'user', parts: [...parts, { text: request.prompt }] }] },
    };
  },
};

export const googleImages: ImageProtocol = {
  imagesPerCall: 1,
  path,
  encode,
  edits,
  decode,
  readUsage: (body) => countImages(asObject<wire.Answer>(body).usageMetadata),
  readFailure,
};
