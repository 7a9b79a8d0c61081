/** OpenAI's images API, also used by Azure. */

import type {
  ImageEditStreamEvent,
  ImageGenStreamEvent,
  ImagesResponse,
  Image as SentImage,
} from 'openai/resources/images';
import { GatewayError } from '../../core/errors/errors.ts';
import { asArray, asObject, type Wire } from '../../core/formats/json-object.ts';
import { parseJson } from '../../core/formats/parse-json.ts';
import type { ImageEcho, ImageProtocol, ImageUsage, InputImage } from '../../core/generation/image.ts';
import type { UpstreamFailure } from '../../core/generation/original/protocol.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import type { FormFile } from '../../core/ports/http.ts';
import { readStatedCost } from '../counts.ts';
import { beginsWith, upstreamError } from '../failure.ts';
import { asCount, asOptionalText, asText, isMiscounted } from '../json.ts';
import {
  readFailure as readChatFailure,
  readReportedFailure as readChatReportedFailure,
} from '../openai-chat/failure.ts';

/** The types of OpenAI's SDK, which are erased: a field that is not here is not read. */
export type Answer = Wire<ImagesResponse | { readonly error: unknown }>;
export type Image = Wire<SentImage>;
type StreamEvent = Wire<ImageGenStreamEvent | ImageEditStreamEvent>;
/** `cached_tokens`: newer than the SDK. */
type Usage = Wire<ImagesResponse.Usage>;
type Details = Wire<ImagesResponse.Usage.InputTokensDetails | { readonly cached_tokens: number }>;

/** @throws GatewayError `upstream_invalid_answer` for an answer without images, or the error in the body. */
export const decode: ImageProtocol['decode'] = (body, base64) => {
  const answer = asObject<Answer>(body);
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

/** Partial images cost tokens that only the usage of the finished one counts. */
const readEvent: ImageProtocol['readEvent'] = (body, base64) => {
  const event = asObject<StreamEvent>(body);
  const failure = readReportedFailure(event);
  if (failure) throw failure;
  const [, kind] = /^image_(?:generation|edit)\.(partial_image|completed)$/.exec(asText(event.type)) ?? [];
  if (kind === undefined) return undefined;
  if (kind === 'completed') return { type: 'completed', answer: decode({ ...event, data: [event] }, base64) };
  const data = asOptionalText(event.b64_json);
  if (data === undefined) throw upstreamError('upstream_invalid_answer');
  const index = asCount(event.partial_image_index);
  return { type: 'partial', index, image: base64(data), ...readEcho(event) };
};

/** The images that contain their data. */
export function imagesOf(data: unknown): readonly string[] {
  return asArray(data).flatMap((image) => asOptionalText(asObject<Image>(image).b64_json) ?? []);
}

/** The properties of the images that upstream reports. */
function readEcho(answer: Answer | StreamEvent): ImageEcho {
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
  const usage = asObject<Usage>(value);
  const inputTokens = asCount(usage.input_tokens);
  const outputTokens = asCount(usage.output_tokens);
  if (inputTokens + outputTokens === 0 || isMiscounted(usage.input_tokens, usage.output_tokens)) {
    return undefined;
  }
  const input = asObject<Details>(usage.input_tokens_details);
  const output = asObject<Details>(usage.output_tokens_details);
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

/** OpenAI's code, which callers know. */
const blocked = 'moderation_blocked';

/** Azure's code for what it drew and does not show; xAI has only a sentence. */
const signs = /^(?:contentFilter$|[\w ,.-]{0,120}\b(?:content moderation|safety system)\b)/i;

export function readFailure(failure: UpstreamFailure): GatewayError {
  return asRefusal(readChatFailure(failure), asObject(parseJson(failure.body)));
}

/** The error that a successful answer reports instead of images; undefined for none. */
function readReportedFailure(answer: JsonObject): GatewayError | undefined {
  const error = readChatReportedFailure(answer);
  return error && asRefusal(error, answer);
}

function asRefusal(error: GatewayError, { error: reported }: JsonObject): GatewayError {
  const { code, message } = asObject(reported);
  if (error.kind === 'upstream_content_policy')
    return code === blocked ? error.with({ providerCode: blocked }) : error;
  const texts = [asText(code), asText(message), asText(reported)];
  if (error.kind !== 'upstream_bad_request' || !texts.some((text) => beginsWith(text, signs))) return error;
  return new GatewayError('upstream_content_policy', error.message, { upstreamStatus: error.upstreamStatus });
}

const encode: ImageProtocol['encode'] = ({ prompt, parameters, stream }, { deployment }) => ({
  model: deployment.upstreamId,
  prompt,
  ...parameters,
  ...(stream && { stream }),
});

/** Source: openai 7.55.0, resources/images: a form, in which several images are `image[]`. */
const edits: ImageProtocol['edits'] = {
  path: () => '/images/edits',
  encode(request, { images, mask, markup }, target) {
    const name = images.length > 1 ? 'image[]' : 'image';
    const files = [
      ...images.map((image) => fileOf(name, image)),
      ...(mask ? [fileOf('mask', mask)] : []),
      ...(markup ? [fileOf('markup', markup)] : []),
    ];
    return { body: encode(request, target), files };
  },
};

const fileOf = (name: string, { mediaType: type, bytes }: InputImage): FormFile => ({
  name,
  filename: `${name.replace('[]', '')}.${type.replace('image/', '')}`,
  type,
  bytes,
});

export const openaiImages: ImageProtocol = {
  imagesPerCall: 10,
  path: () => '/images/generations',
  encode,
  edits,
  decode,
  readEvent,
  readUsage: (body) => readUsage(asObject<Answer>(body).usage),
  readFailure,
};
