/**
 * One target asked to generate images: as many calls as its protocol needs for the number of images, their answers joined.
 * Knows nothing of other targets.
 */
import { type Finished, mapConcurrently, onceEach } from '../async/map-concurrently.ts';
import type { Target } from '../core/catalog/model.ts';
import type { AttemptFacts } from '../core/endpoint.ts';
import { GatewayError } from '../core/errors/errors.ts';
import { withCallerPath } from '../core/generation/caller-path.ts';
import type {
  ImageAnswer,
  ImageRequest,
  ImagesOfEdit,
  ImageUsage,
  InputImage,
} from '../core/generation/image.ts';
import { serverBusy } from '../core/ports/memory.ts';
import type { Account, Images, Provider } from '../providers/provider.ts';
import { imagesFactor } from '../transport/answer-memory.ts';
import { type ByteBudget, readLargeJson } from '../transport/large-json.ts';
import type { ImageStream } from './call-image-stream.ts';
import type { loadEdit } from './edit-images.ts';
import { countedBy, countedWithout } from './image-use.ts';
import type { CallOptions } from './model-task.ts';
import { isSandbox, openAccount } from './use/account.ts';
import { decodedOrNoted, noteUse } from './use/attempt-use.ts';
import { readAnswer } from './use/read-answer.ts';

/** A request as its target takes it. */
export interface ImageCall {
  readonly provider: Provider;
  readonly images: Images;
  readonly target: Target;
  readonly request: ImageRequest;
  /** What earlier calls of this target have given: only the rest is asked for again. */
  readonly finished: Finished<GeneratedImages>;
}

export interface GeneratedImages {
  readonly answer: ImageAnswer;
  /** Whether the local sandbox answered in the provider's place. */
  readonly sandbox: boolean;
}

/** All images of a request together, as base64: what a function can stream in one answer. */
export const largestAnswer = 192 * 1024 * 1024;

/** Calls of one request that run at the same time. */
const callsAtOnce = 4;

/**
 * Rejects with GatewayError when a call fails: images of one request come all together or not at all. Those that are being drawn
 * then are waited for: they are paid for, and not drawn again.
 */
export async function callImages(
  { provider, images: { protocol }, target, request, finished }: ImageCall,
  { connections, media, signal, lasting = signal, memory, firstOutputMs, attempt }: CallOptions,
): Promise<GeneratedImages | ImageStream> {
  const { readEvent } = protocol;
  const firstByteMs = connections.timeouts.firstByteMs ?? firstOutputMs;
  const timeouts = {
    // Between two images of a stream one is drawn.
    ...(request.stream && { idleMs: firstOutputMs ?? target.model.timeouts.bodyMs }),
    ...connections.timeouts,
    ...(firstByteMs !== undefined && { firstByteMs }),
  };
  if (memory && !memory.reserve(largestAnswerTo(request) * imagesFactor)) throw serverBusy();
  const loaded = request.edit && (await loadImages(request.edit, media, signal));
  const options = { signal, lasting, memory, attempt, ...(loaded && { held: loaded.held }) };
  const account = await openAccount(provider, target, 'body', { ...connections, timeouts }, options);
  const budget = { left: largestAnswer };
  if (request.stream && readEvent) {
    const { readImageStream } = await import('./call-image-stream.ts');
    const response = await account.post(...postOf({ protocol, target, request, edit: loaded?.edit }));
    return await readImageStream(response, { protocol, readEvent, target, request, budget, attempt });
  }
  const parts = partsOf(request, protocol.imagesPerCall);
  const one = (part: ImageRequest) =>
    callOnce(account, { protocol, target, request: part, edit: loaded?.edit, budget, attempt });
  const generated = await mapConcurrently(parts, callsAtOnce, onceEach(finished, one));
  return {
    answer: join(generated.map(({ answer }) => answer)),
    sandbox: generated.some(({ sandbox }) => sandbox),
  };
}

/** Of a side whose length the request does not say, and of each pixel of an image that is hardly compressed; base64 is a third longer. */
const defaultSide = 1_536;
const bytesPerPixel = { png: 4, webp: 1, jpeg: 1, gif: 1, svg: 1 } as const;

/** About how many bytes all its images have as base64. */
function largestAnswerTo({ parameters }: ImageRequest): number {
  const { n = 1, size = '', output_format: format = 'png' } = parameters;
  const [width = defaultSide, height = defaultSide] = size
    .split('x')
    .map((side) => Number(side) || defaultSide);
  return Math.min(largestAnswer, n * width * height * bytesPerPixel[format]);
}

/** The request of each call. */
function partsOf(request: ImageRequest, perCall: number): readonly ImageRequest[] {
  const { n = 1 } = request.parameters;
  if (n <= perCall) return [request];
  return Array.from({ length: Math.ceil(n / perCall) }, (_, index) => ({
    ...request,
    parameters: { ...request.parameters, n: Math.min(perCall, n - index * perCall) },
  }));
}

const loadImages = async (...given: Parameters<typeof loadEdit>) =>
  await (await import('./edit-images.ts')).loadEdit(...given);

interface Posted {
  readonly protocol: Images['protocol'];
  readonly target: Target;
  readonly request: ImageRequest;
  readonly edit: ImagesOfEdit<InputImage> | undefined;
}

function postOf({ protocol, target, request, edit }: Posted): Parameters<Account['post']> {
  const { upstreamId } = target.deployment;
  if (!edit || !protocol.edits) return [protocol.path(upstreamId), protocol.encode(request, target)];
  const { body, files } = protocol.edits.encode(request, edit, target);
  return [protocol.edits.path(upstreamId), body, files && { files }];
}

interface OneCall extends Posted {
  readonly budget: ByteBudget;
  readonly attempt: AttemptFacts;
}

async function callOnce(account: Account, { budget, attempt, ...posted }: OneCall): Promise<GeneratedImages> {
  const { protocol, request } = posted;
  const price = attempt.price?.price;
  const response = await account.post(...postOf(posted));
  return await readAnswer(response, {
    protocol,
    async read() {
      const { body, base64 } = await readLargeJson(response, budget);
      const answer = decodedOrNoted(
        attempt,
        () => protocol.decode(body, base64),
        () => countedWithout(protocol.readUsage?.(body), request, price),
      );
      const counted = countedBy(answer, request, price);
      if (counted) noteUse(attempt, counted);
      const { n = 1 } = request.parameters;
      return { answer: { ...answer, images: answer.images.slice(0, n) }, sandbox: isSandbox(response) };
    },
    located: (error) => withCallerPath(error, {}),
  });
}

function join(answers: readonly ImageAnswer[]): ImageAnswer {
  const [first] = answers;
  if (!first) throw new GatewayError('internal', 'No image was requested.');
  return { ...first, images: answers.flatMap(({ images }) => images), usage: sumOf(answers) };
}

function sumOf(answers: readonly ImageAnswer[]): ImageUsage | undefined {
  const counted = answers.flatMap(({ usage }) => usage ?? []);
  // A sum of only some calls would look like the usage of all.
  if (counted.length < answers.length) return undefined;
  return counted.reduce((sum, usage) => ({
    inputTokens: sum.inputTokens + usage.inputTokens,
    outputTokens: sum.outputTokens + usage.outputTokens,
    inputTextTokens: sum.inputTextTokens + usage.inputTextTokens,
    inputImageTokens: sum.inputImageTokens + usage.inputImageTokens,
    outputTextTokens: sum.outputTextTokens + usage.outputTextTokens,
    outputImageTokens: sum.outputImageTokens + usage.outputImageTokens,
    cachedTokens: sum.cachedTokens + usage.cachedTokens,
    raw: [...sum.raw, ...usage.raw],
  }));
}
