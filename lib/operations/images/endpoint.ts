/** Images: `POST /v1/images/generations`. */
import type { Target } from '../../core/catalog/model.ts';
import type { Answer, BufferedLimit, Call, Endpoint } from '../../core/endpoint.ts';
import { GatewayError } from '../../core/errors/errors.ts';
import type {
  Base64,
  ImageAnswer,
  ImageParameters,
  ImageRequest,
  ImageUsage,
} from '../../core/generation/image.ts';
import type { MaxTokens } from '../../metering/limits/highest-cost.ts';
import { applyParameterRules } from '../../normalization/parameter-rules.ts';
import type { Change } from '../../normalization/rule.ts';
import { callImages, type GeneratedImages, type ImageCall } from '../../pipeline/call-images.ts';
import { guardTexts, userOf } from '../../pipeline/guard-input.ts';
import type { ModelTask } from '../../pipeline/model-task.ts';
import type { PipelineParts } from '../../pipeline/parts.ts';
import { runTargets, type TargetAnswer } from '../../pipeline/run-targets.ts';
import { mayBeFree } from '../../pipeline/use/may-be-free.ts';
import { warmUp } from '../../pipeline/warm-up.ts';
import type { Providers } from '../../providers/provider.ts';
import { type CostInUsage, costInUsage, gatewayHeaders, withCost, writeDebug } from '../answer-facts.ts';
import { type ImagesInput, readImages } from './read.ts';
import { imagesSchema } from './schema.ts';

/** Sending many megabytes takes time, so part of the request's time is reserved for it. */
const bufferedImages: BufferedLimit = {
  share: 0.9,
  message:
    'The images took longer to generate than a request may take. Request fewer images or a lower quality.',
};

export function imagesEndpoint(parts: PipelineParts): Endpoint<typeof imagesSchema, ImagesInput> {
  return {
    schema: imagesSchema,
    read: readImages,
    prepare: (input) => warmUp(parts, input),
    mayBeFree: mayBeFree(parts, 'images_generations'),
    bufferedLimit: () => bufferedImages,
    async answer(call) {
      if (call.input.dryRun) return await answerDry(parts, call);
      const { request, changes } = await guarded(parts, call);
      const input = { ...call.input, request };
      const first = await runTargets(parts, imagesTask(parts, input), call);
      parts.health.succeeded(first.target);
      return write(parts, call, { ...first, changes: [...changes, ...first.changes] });
    },
  };
}

/** The request as guardrails let it pass. */
async function guarded(parts: PipelineParts, call: Call<ImagesInput>) {
  const { request } = call.input;
  const { parameters } = request;
  const given = [{ text: request.prompt, path: 'prompt' }, ...userOf(parameters)];
  const { texts, changes } = await guardTexts(parts, given, call);
  const [prompt = request.prompt, user] = texts;
  const named = user === undefined ? parameters : { ...parameters, user };
  return { request: { ...request, prompt, parameters: named }, changes };
}

/** Without images. */
async function answerDry(parts: PipelineParts, call: Call<ImagesInput>): Promise<Answer> {
  const { dryRun } = await import('../../pipeline/dry-run/dry-run.ts');
  const task = imagesTask(parts, call.input);
  const { report, ...first } = await dryRun(parts, task, call, call.input);
  const changes = [...call.input.changes, ...first.changes, ...first.prepared.changes];
  const counted = { inputTokens: task.inputTokens(), exact: false };
  const answer = { answer: { images: [], usage: undefined }, sandbox: false };
  return write(parts, call, { ...first, answer }, { report: report(counted, changes) });
}

function write(
  { now }: PipelineParts,
  call: Call<ImagesInput>,
  { target, attempts, prepared, answer: generated, ...first }: TargetAnswer<PreparedImages, GeneratedImages>,
  dry?: { readonly report: object },
): Answer {
  const { input, facts } = call;
  const { answer, sandbox } = generated;
  const changes = [...input.changes, ...first.changes, ...prepared.changes];
  facts.normalizations = changes.length;
  const debug = writeDebug(call, { target, changes, attempts, ...(dry && { dry }) });
  const created = Math.floor(now() / 1000);
  const { parameters } = prepared.request;
  const text = writeImages(answer, { created, parameters, cost: costInUsage(call), debug });
  return { type: 'large-json', headers: gatewayHeaders({ changes, sandbox, ...(dry && { dry }) }), text };
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
  readonly debug: object | undefined;
}

function* writeImages(answer: ImageAnswer, facts: ImageFacts): Generator<string> {
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

interface PreparedImages extends ImageCall {
  readonly changes: readonly Change[];
}

function imagesTask(
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
