/** Images: `POST /v1/images/generations`. */
import type { Answer, BufferedLimit, Call, Endpoint } from '../../core/endpoint.ts';
import type { GeneratedImages } from '../../pipeline/call-images.ts';
import type { PipelineParts } from '../../pipeline/parts.ts';
import { runTargets, type TargetAnswer } from '../../pipeline/run-targets.ts';
import { mayBeFree } from '../../pipeline/use/may-be-free.ts';
import { warmUp } from '../../pipeline/warm-up.ts';
import { gatewayHeaders, modelDeprecations } from '../answer-facts.ts';
import { chargeSoFar, costInUsage } from '../charge-so-far.ts';
import { writeDebug } from '../debug.ts';
import { type ImagesInput, readImages } from './read.ts';
import { imagesSchema } from './schema.ts';
import { imagesTask, type PreparedImages } from './task.ts';
import { writeImages } from './write.ts';

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
    prepare: ({ model }) => warmUp(parts, model),
    mayBeFree: mayBeFree(parts, 'images_generations'),
    bufferedLimit: () => bufferedImages,
    async answer(call) {
      const first = await runTargets(parts, imagesTask(parts, call.input), call);
      parts.health.succeeded(first.target);
      return write(parts, call, first);
    },
  };
}

function write(
  { now }: PipelineParts,
  call: Call<ImagesInput>,
  { target, attempts, prepared, answer: generated, ...first }: TargetAnswer<PreparedImages, GeneratedImages>,
): Answer {
  const { input, facts } = call;
  const { answer, sandbox } = generated;
  const changes = [...input.changes, ...first.changes, ...prepared.changes];
  facts.normalizations = changes.length;
  const deprecations = [...input.deprecations, ...modelDeprecations(target.model)];
  const debug = writeDebug(input.debug, {
    changes,
    deprecations,
    attempts,
    cost: () => chargeSoFar(call),
  });
  const created = Math.floor(now() / 1000);
  const { parameters } = prepared.request;
  const text = writeImages(answer, { created, parameters, cost: costInUsage(call), debug });
  return { type: 'large-json', headers: gatewayHeaders({ changes, sandbox }), text };
}
