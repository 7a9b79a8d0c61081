/**
 * One target asked to generate images: as many calls as its protocol needs for the number of images, their answers joined.
 * Knows nothing of other targets.
 */
import { type Finished, mapConcurrently, onceEach } from '../async/map-concurrently.ts';
import { GatewayError } from '../core/errors.ts';
import { withCallerPath } from '../core/generation/caller-path.ts';
import type { ImageAnswer, ImageRequest, ImageUsage } from '../core/generation/image.ts';
import type { Target } from '../core/model.ts';
import type { Account, Images, Provider } from '../providers/provider.ts';
import { type ByteBudget, readLargeJson } from '../transport/large-json.ts';
import { expectSuccess, isSandbox, openAccount, unreadable } from './account.ts';
import type { CallOptions } from './model-task.ts';

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
const largestAnswer = 192 * 1024 * 1024;

/** Calls of one request that run at the same time. */
const callsAtOnce = 4;

/** Rejects with GatewayError when a call fails: images of one request come all together or not at all. */
export async function callImages(
  { provider, images: { protocol }, target, request, finished }: ImageCall,
  { connections, signal, firstOutputMs }: CallOptions,
): Promise<GeneratedImages> {
  const ending = new AbortController();
  const either = AbortSignal.any([signal, ending.signal]);
  const firstByteMs = connections.timeouts.firstByteMs ?? firstOutputMs;
  const timeouts = { ...connections.timeouts, ...(firstByteMs !== undefined && { firstByteMs }) };
  const account = await openAccount(provider, target, 'body', { ...connections, timeouts }, either);
  const budget = { left: largestAnswer };
  try {
    const parts = partsOf(request, protocol.imagesPerCall);
    const one = (part: ImageRequest) => callOnce(account, protocol, target, part, budget);
    const generated = await mapConcurrently(parts, callsAtOnce, onceEach(finished, one));
    return {
      answer: join(generated.map(({ answer }) => answer)),
      sandbox: generated.some(({ sandbox }) => sandbox),
    };
  } finally {
    // Where one call failed, the others are not waited for.
    ending.abort();
  }
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

async function callOnce(
  account: Account,
  protocol: Images['protocol'],
  target: Target,
  request: ImageRequest,
  budget: ByteBudget,
): Promise<GeneratedImages> {
  const path = protocol.path(target.deployment.upstreamId);
  const response = await account.post(path, protocol.encode(request, target));
  try {
    await expectSuccess(response, protocol);
    const { body, base64 } = await readLargeJson(response, budget);
    const answer = protocol.decode(body, base64);
    const { n = 1 } = request.parameters;
    return { answer: { ...answer, images: answer.images.slice(0, n) }, sandbox: isSandbox(response) };
  } catch (thrown) {
    throw thrown instanceof GatewayError ? withCallerPath(thrown, {}) : unreadable(thrown);
  }
}

function join(answers: readonly ImageAnswer[]): ImageAnswer {
  const [first] = answers;
  if (!first) throw new GatewayError('internal', 'No image was requested.');
  const { statedCost: _, ...echo } = first;
  return {
    ...echo,
    images: answers.flatMap(({ images }) => images),
    usage: sumOf(answers),
    ...statedBy(answers),
  };
}

/** A cost that only some of the calls state is no cost of all. */
function statedBy(answers: readonly ImageAnswer[]): Pick<ImageAnswer, 'statedCost'> {
  const stated = answers.flatMap(({ statedCost }) => statedCost ?? []);
  return stated.length < answers.length ? {} : { statedCost: stated.reduce((sum, cost) => sum + cost, 0) };
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
