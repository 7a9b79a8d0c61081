/** The images of the sandbox's Gemini models. */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import type { Prompt } from '../exchange.ts';
import { areaOfShape, countImage, imageOf, isForbidden, isImageFormat } from '../images.ts';
import { checkKeys, isObject, listOf, objectOf, textOf } from '../json.ts';
import { countInput } from '../script.ts';
import { refuse, refuseUnknown } from './refuse.ts';

const knownImageConfig = new Set(['aspectRatio', 'imageSize', 'imageOutputOptions']);

const shapes: Readonly<Record<string, readonly [number, number]>> = {
  '1:1': [1024, 1024],
  '3:2': [1264, 848],
  '4:3': [1200, 896],
  '5:4': [1152, 928],
  '16:9': [1376, 768],
  '21:9': [1584, 672],
};

/** What an image that is sent counts. Source: ai.google.dev/gemini-api/docs/tokens. */
const tokensOfInput = 258;

const scales: Readonly<Record<string, number>> = { '1K': 1, '2K': 2, '4K': 4 };

export function asksForImage(body: JsonObject): boolean {
  return listOf(objectOf(body.generationConfig).responseModalities).includes('IMAGE');
}

/** A whole answer: an image, or the reason why there is none. */
export function writeImage(body: JsonObject, prompt: Prompt): JsonObject {
  const { model, lastUserText, provider, images } = prompt;
  const config = objectOf(objectOf(body.generationConfig).imageConfig);
  checkImages(config, prompt);
  const sent = images * tokensOfInput;
  const textCount = countInput(prompt);
  const promptTokenCount = textCount + sent;
  const about = { modelVersion: model, responseId: 'sandbox' };
  if (isForbidden(lastUserText)) {
    const usageMetadata = { promptTokenCount, totalTokenCount: promptTokenCount };
    const candidate = { content: {}, finishReason: 'IMAGE_SAFETY', index: 0 };
    return { candidates: [candidate], usageMetadata, ...about };
  }
  const [shape, size] = [textOf(config.aspectRatio) || '1:1', textOf(config.imageSize) || '1K'];
  const area = areaOfShape(shapes, shape, scales[size] ?? 0);
  if (!area?.width) refuse(`Invalid aspect ratio or image size: ${shape}, ${size}.`);
  const asked = textOf(objectOf(config.imageOutputOptions).mimeType).replace('image/', '');
  const format = provider === 'google-vertex' && isImageFormat(asked) ? asked : 'png';
  const subject = images > 0 ? `${lastUserText} of ${images}` : lastUserText;
  const data = imageOf({ ...area, format, subject });
  const image = { inlineData: { mimeType: `image/${format}`, data } };
  const tokenCount = countImage(area, 'medium');
  return {
    candidates: [{ content: { role: 'model', parts: [image] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: {
      promptTokenCount,
      candidatesTokenCount: tokenCount,
      totalTokenCount: promptTokenCount + tokenCount,
      promptTokensDetails: [
        { modality: 'TEXT', tokenCount: textCount },
        ...(sent > 0 ? [{ modality: 'IMAGE', tokenCount: sent }] : []),
      ],
      candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount }],
    },
    ...about,
  };
}

function checkImages(config: JsonObject, { model, provider }: Prompt): void {
  if (!/image/.test(model)) refuse('Image generation is not available for this model.');
  checkKeys(config, knownImageConfig, (unknown) => refuseUnknown(unknown, 'generation_config.image_config'));
  if (isObject(config.imageOutputOptions) && provider !== 'google-vertex') {
    refuseUnknown('imageOutputOptions', 'generation_config.image_config');
  }
  if ('imageSize' in config && /^gemini-2/.test(model)) refuse('imageSize is not supported for this model.');
}
