/** Images: `POST /v1/images/generations`. */

import type { Finished } from '../../async/map-concurrently.ts';
import type { Answer, Call, Endpoint, RequestFacts } from '../../core/endpoint.ts';
import type { ImageRequest, ImageUsage } from '../../core/generation/image.ts';
import type { GeneratedImages } from '../../pipeline/generate-images.ts';
import { gatewayHeaders, modelDeprecations } from '../answer-facts.ts';
import { writeDebug } from '../debug.ts';
import { ofEach, prepare, type Routed, type RouteParts, route } from '../route.ts';
import { withinSilence } from '../silent-time.ts';
import { askTarget, checkTarget, type ImagesFromTarget } from './ask-target.ts';
import { type ImagesInput, readImages } from './read.ts';
import { imagesSchema } from './schema.ts';
import { writeImages } from './write.ts';

/** Sending many megabytes takes time, so part of the request's time is reserved for it. */
const deadline = {
  share: 0.9,
  tooLate: 'The images were not generated within the time limit of a request.',
};

export function imagesEndpoint(parts: RouteParts): Endpoint<typeof imagesSchema, ImagesInput> {
  return {
    schema: imagesSchema,
    read: readImages,
    prepare: (input) => prepare(parts, input),
    answer: async (call) =>
      write(parts, call, await withinSilence(call, deadline, (ending) => ask(parts, ending))),
  };
}

/** The share of its timeout that a target gets while another one is left, so that two fit into one request. */
const shareOfTheFirst = 0.5;

async function ask(parts: RouteParts, call: Call<ImagesInput>): Promise<Routed<ImagesFromTarget>> {
  const { model, fallbacks, request } = call.input;
  const finished = ofEach((): Finished<GeneratedImages> => new Map());
  const routed = await route(
    parts,
    { endpoint: 'images_generations', model, fallbacks, needs: [{ modality: 'text' }] },
    {
      canServe: ({ images }) => images !== undefined,
      check: (target) => checkTarget(parts, target, request),
      ask: (target, _primary, limitMs) =>
        askTarget(parts, target, { request, limitMs, finished: finished(target) }, call.signal),
      firstTokenMs: ({ model: { timeouts } }) => timeouts.bodyMs * shareOfTheFirst,
      maxTokens: () => maxTokens(request),
    },
    call,
  );
  parts.health.succeeded(routed.target);
  return routed;
}

/** An upper bound for the tokens of the largest image at the highest quality. */
const maxForImage = 16_384;

/** Tokens that protocols add around a prompt. */
const overhead = 64;

/** A token has at least one byte. */
function maxTokens({ prompt, parameters: { n = 1 } }: ImageRequest) {
  return { input: n * (Buffer.byteLength(prompt) + overhead), output: n * maxForImage };
}

function write(
  parts: RouteParts,
  { input, facts }: Call<ImagesInput>,
  routed: Routed<ImagesFromTarget>,
): Answer {
  const { target, attempts, answer: generated } = routed;
  if (generated.answer.usage) Object.assign(facts, countedBy(generated.answer.usage));
  const details = {
    changes: [...input.changes, ...routed.changes, ...generated.changes],
    sandbox: generated.sandbox,
  };
  facts.normalizations = details.changes.length;
  const deprecations = [...input.deprecations, ...modelDeprecations(target.model)];
  const debug = writeDebug(input.debug, { changes: details.changes, deprecations, attempts });
  const created = Math.floor(parts.now() / 1000);
  const text = writeImages(generated.answer, { created, parameters: generated.parameters, debug });
  return { type: 'large-json', headers: gatewayHeaders({ details }), text };
}

function countedBy(counted: ImageUsage): Pick<RequestFacts, 'usage' | 'rawUsage'> {
  const { inputTokens, cachedTokens, outputTokens, inputImageTokens, outputImageTokens, raw } = counted;
  const [first, ...others] = raw;
  const usage = {
    promptTokens: inputTokens,
    cachedTokens,
    cacheWriteTokens: 0,
    completionTokens: outputTokens,
    reasoningTokens: 0,
    inputImageTokens,
    outputImageTokens,
  };
  return { usage, ...(first && { rawUsage: others.length === 0 ? first : { calls: raw } }) };
}
