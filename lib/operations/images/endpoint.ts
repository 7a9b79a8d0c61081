/** Images: `POST /v1/images/generations`. */
import type { Target } from '../../core/catalog/model.ts';
import type { Answer, BufferedLimit, Call, Endpoint } from '../../core/endpoint.ts';
import type {
  Base64,
  ImageAnswer,
  ImageParameters,
  ImageRequest,
  ImageUsage,
} from '../../core/generation/image.ts';
import type { MaxTokens } from '../../metering/limits/highest-cost.ts';
import type { Change } from '../../normalization/rule.ts';
import { callImages, type GeneratedImages, type ImageCall } from '../../pipeline/call-images.ts';
import { userOf } from '../../pipeline/guard-input.ts';
import type { ModelTask } from '../../pipeline/model-task.ts';
import { oneCallTask, servedBy, withRules } from '../../pipeline/one-call.ts';
import type { PipelineParts } from '../../pipeline/parts.ts';
import type { Providers } from '../../providers/provider.ts';
import { type CostInUsage, costInUsage, withCost } from '../answer-facts.ts';
import { type Made, oneCallEndpoint } from '../one-call/endpoint.ts';
import { type ImagesInput, readImages } from './read.ts';
import { imagesSchema } from './schema.ts';

/** Sending many megabytes takes time, so part of the request's time is reserved for it. */
const bufferedImages: BufferedLimit = {
  share: 0.9,
  message:
    'The images took longer to generate than a request may take. Request fewer images or a lower quality.',
};

export const imagesEndpoint = (parts: PipelineParts): Endpoint<typeof imagesSchema, ImagesInput> => ({
  ...oneCallEndpoint(parts, {
    endpoint: 'images_generations',
    schema: imagesSchema,
    read: readImages,
    texts: ({ prompt, parameters }) => [{ text: prompt, path: 'prompt' }, ...userOf(parameters)],
    withTexts: ({ parameters, ...request }, [prompt = request.prompt, user]) => ({
      prompt,
      parameters: user === undefined ? parameters : { ...parameters, user },
    }),
    task: (input) => imagesTask(parts, input),
    nothing: { answer: { images: [], usage: undefined }, sandbox: false },
    write: (call, made) => write(parts, call, made),
  }),
  bufferedLimit: () => bufferedImages,
});

function write(
  { now }: PipelineParts,
  call: Call<ImagesInput>,
  { prepared, result, headers, debug }: Made<PreparedImages, GeneratedImages>,
): Answer {
  const facts = {
    created: Math.floor(now() / 1000),
    parameters: prepared.request.parameters,
    cost: costInUsage(call),
    debug: debug(),
  };
  return { type: 'large-json', headers, text: writeImages(result.answer, facts) };
}

/**
 * Writes an image answer in the public format, piece by piece: the images are never joined with the rest or with each
 * other, to save memory.
 */

interface ImageFacts {
  /** Unix seconds. */
  readonly created: number;
  /** The sent parameters, for what upstream does not report. */
  readonly parameters: ImageParameters;
  readonly cost: CostInUsage;
  readonly debug: object;
}

function* writeImages(answer: ImageAnswer, facts: ImageFacts): Generator<string> {
  const { created, parameters, cost, debug } = facts;
  const known = {
    created,
    ...writeEcho(answer, parameters),
    ...(answer.usage && { usage: withCost(writeUsage(answer.usage), cost) }),
    ...debug,
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

interface PreparedImages extends ImageCall {
  readonly changes: readonly Change[];
}

function imagesTask(
  { providers }: { readonly providers: Providers },
  input: ImagesInput,
): ModelTask<PreparedImages, GeneratedImages> {
  const { request } = input;
  const { output: _, ...common } = oneCallTask('images_generations', input, 'images');
  return {
    ...common,
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
  const { provider, serves: images } = servedBy(providers, target, 'images');
  const adapted = withRules(request, target, images.rules);
  return { provider, images, target, ...adapted, finished: new Map() };
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
