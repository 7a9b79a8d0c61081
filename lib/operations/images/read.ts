/** Converts a valid image body to the gateway's internal request, and checks rules that span several fields. */

import { invalid } from '../../core/errors/invalid.ts';
import type { ImageParameters, ImageRequest } from '../../core/generation/image.ts';
import { type Change, overridden, stripped } from '../../normalization/rule.ts';
import type { Deprecation } from '../answer-facts.ts';
import { type AskedOnce, readAsked } from '../one-call/read.ts';
import { given } from '../read-request.ts';
import type { ImagesBody } from './schema.ts';

/** The parts of an image request. */
export interface ImagesInput extends AskedOnce {
  readonly request: ImageRequest;
  readonly deprecations: readonly Deprecation[];
  /** Parameters that are not sent to any target. */
  readonly changes: readonly Change[];
}

/** `style` is one of generations. */
type SharedBody = Omit<ImagesBody, 'moderation' | 'svg' | 'style'> & Pick<Partial<ImagesBody>, 'style'>;

const sharedNames = [
  'n',
  'size',
  'quality',
  'background',
  'output_format',
  'output_compression',
  'complexity',
  'frame_count',
  'frame_duration_ms',
  'user',
  'safety_identifier',
  'partial_images',
] as const;

export const readImages = (body: ImagesBody): ImagesInput => readRequest(body, ['moderation', 'svg']);

/** What generated and edited images have in common. */
export function readRequest<Body extends SharedBody>(
  body: Body,
  others: readonly (keyof Body & keyof ImageParameters)[],
): ImagesInput {
  const { model, prompt } = body;
  if (body.background === 'transparent' && body.output_format === 'jpeg') {
    throw invalid(
      'background',
      "cannot be 'transparent' when 'output_format' is 'jpeg': use 'png' or 'webp'",
    );
  }
  checkStream(body);
  const outdated = outdatedFields(body);
  // None is the default.
  const partial_images = body.partial_images || null;
  return {
    ...readAsked(model, body),
    request: {
      prompt,
      parameters: given<Body, keyof Body & string>({ ...body, partial_images }, [
        ...sharedNames,
        ...others,
      ]) as ImageParameters,
      ...(body.stream && { stream: true }),
    },
    deprecations: outdated.map(({ param, message }) => ({ param, message })),
    changes: outdated.flatMap(({ change }) => change ?? []),
  };
}

/** Sources: openai 7.57.0, resources/images (formats); github.com/theopenco/llmgateway/issues/3963 (one image). */
function checkStream({ stream, partial_images: partials, n, output_format: format }: SharedBody): void {
  if (!stream && partials) throw invalid('partial_images', "must be 0 or absent without 'stream'");
  if (!stream) return;
  if (n != null && n > 1) throw invalid('n', "must be 1 with 'stream': one image can be streamed");
  if (format === 'gif' || format === 'svg')
    throw invalid('stream', `must be false when 'output_format' is '${format}'`);
}

interface OutdatedField extends Deprecation {
  readonly change?: Change;
}

/** Fields of retired models, which no current model supports. */
function outdatedFields({ response_format: format, style }: SharedBody): readonly OutdatedField[] {
  return [
    ...(format == null ? [] : [{ ...outdatedFormat, ...(format === 'url' && { change: noLink }) }]),
    ...(style == null ? [] : [{ ...outdatedStyle, change: withoutStyle(style) }]),
  ];
}

const outdatedFormat: Deprecation = {
  param: 'response_format',
  message: 'Images are always returned as b64_json. Remove this parameter.',
};

const noLink: Change = overridden(
  'response_format',
  'url',
  'b64_json',
  'Images are always returned as base64 data.',
);

const outdatedStyle: Deprecation = {
  param: 'style',
  message: 'Only retired models support this parameter. Describe the style in the prompt instead.',
};

const withoutStyle = (style: string): Change =>
  stripped('style', style, 'Only retired models support this parameter.');
