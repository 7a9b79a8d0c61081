/** Images: `POST /v1/images/generations`, and those that are edited: `POST /v1/images/edits`. */
import type * as z from 'zod/mini';
import type { Target } from '../../core/catalog/model.ts';
import type { Answer, BufferedLimit, Call, Endpoint, StreamFrame } from '../../core/endpoint.ts';
import type { ImageAnswer, ImageEvent, ImageRequest } from '../../core/generation/image.ts';
import { maxTokensOfImage } from '../../core/generation/image-bound.ts';
import type { MaxTokens } from '../../metering/limits/highest-cost.ts';
import type { Change } from '../../normalization/rule.ts';
import type { ImageStream } from '../../pipeline/call-image-stream.ts';
import { callImages, type GeneratedImages, type ImageCall } from '../../pipeline/call-images.ts';
import { userOf } from '../../pipeline/guard-input.ts';
import { countOf, inputTokensOf, tokensOfPartial } from '../../pipeline/image-use.ts';
import type { ModelTask } from '../../pipeline/model-task.ts';
import { oneCallTask, servedBy, withRules } from '../../pipeline/one-call.ts';
import type { PipelineParts } from '../../pipeline/parts.ts';
import type { Provider, Providers } from '../../providers/provider.ts';
import { costInUsage } from '../answer-facts.ts';
import { type Made, oneCallEndpoint } from '../one-call/endpoint.ts';
import { observed } from '../one-call/observed.ts';
import { checkEdit, editFor } from './edit-for.ts';
import { type ImagesInput, readImages } from './read.ts';
import { editsForm, readEdits } from './read-edits.ts';
import { editsSchema, imagesSchema } from './schema.ts';
import { writeEvents, writeImages } from './write.ts';

/** Sending many megabytes takes time, so part of the request's time is reserved for it. */
const bufferedImages: BufferedLimit = {
  share: 0.9,
  message:
    'The images took longer to generate than a request may take. Request fewer images or a lower quality.',
};

export const imagesEndpoint = (parts: PipelineParts): Endpoint<typeof imagesSchema, ImagesInput> =>
  endpointOf(parts, imagesSchema, readImages);

export const editsEndpoint = (parts: PipelineParts): Endpoint<typeof editsSchema, ImagesInput> => ({
  ...endpointOf(parts, editsSchema, readEdits),
  heldForm: editsForm,
});

const endpointOf = <Schema extends z.core.$ZodType>(
  parts: PipelineParts,
  schema: Schema,
  read: (body: z.core.output<Schema>) => ImagesInput,
): Endpoint<Schema, ImagesInput> => ({
  ...oneCallEndpoint(parts, {
    endpoint: 'images_generations',
    schema,
    read,
    texts: ({ prompt, parameters }) => [{ text: prompt, path: 'prompt' }, ...userOf(parameters)],
    withTexts: ({ parameters, ...request }, [prompt = request.prompt, user]) => ({
      ...request,
      prompt,
      parameters: user === undefined ? parameters : { ...parameters, user },
    }),
    task: (input) => imagesTask(parts, input),
    nothing: { answer: { images: [], usage: undefined }, sandbox: false },
    write: (call, made) => write(parts, call, made),
  }),
  bufferedLimit: ({ request }) => (request.stream ? undefined : bufferedImages),
  earlyFrame: () => frame,
});

function write(
  { now, health }: PipelineParts,
  call: Call<ImagesInput>,
  { target, attempt, prepared, result, headers, debug }: Made<PreparedImages, GeneratedImages | ImageStream>,
): Answer {
  const facts = {
    created: Math.floor(now() / 1000),
    parameters: prepared.request.parameters,
    kind: prepared.request.edit ? ('image_edit' as const) : ('image_generation' as const),
    cost: () => costInUsage(call),
    debug,
  };
  const { request, dryRun } = call.input;
  const isStream = request.stream && !dryRun;
  if ('answer' in result && !isStream)
    return { type: 'large-json', headers, text: writeImages(result.answer, facts) };
  const events = 'answer' in result ? asEvents(result.answer) : result.events;
  const seen = observed(events, { health, target, attempt, signal: call.signal });
  return { type: 'stream', headers, events: writeEvents(seen, facts), ...frame };
}

/** A target without streams gives its image at once. */
async function* asEvents(answer: ImageAnswer): AsyncGenerator<ImageEvent> {
  yield { type: 'completed', answer };
}

const frame: StreamFrame = { onError: (error) => [{ event: 'error', data: error.toBody() }] };

interface PreparedImages extends ImageCall {
  readonly changes: readonly Change[];
}

function imagesTask(
  { providers }: { readonly providers: Providers },
  input: ImagesInput,
): ModelTask<PreparedImages, GeneratedImages | ImageStream> {
  const { request } = input;
  const { output: _, ...common } = oneCallTask('images_generations', input, 'images');
  const { edit } = request;
  return {
    ...common,
    ...(edit && {
      needs: [{ modality: 'text' }, { modality: 'image', param: edit.images[0]?.path ?? 'image' }],
      canServe: ({ images }: Provider) => images?.protocol.edits !== undefined,
      check: (primary: Target) => checkEdit(primary, edit),
    }),
    isStream: request.stream === true,
    inputTokens: () => inputTokensOf(request),
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
  const { edit } = request;
  const kept = edit && editFor(target, edit);
  const adapted = withRules(request, target, images.rules);
  return {
    provider,
    images,
    target,
    request: { ...adapted.request, ...(kept && { edit: kept.edit }) },
    changes: [...adapted.changes, ...(kept?.changes ?? [])],
    finished: new Map(),
  };
}

/** The tokens of the largest image at high quality, with a margin; above it, four times as many are assumed: no source states them. */
const maxForImage = { normal: 16_384, highest: 65_536 } as const;

const highest: readonly unknown[] = ['xhigh', 'max'];

/** What protocols add around a prompt, in tokens. */
const overhead = 64;

/** No token is shorter than a byte. */
function maxTokens({ prompt, parameters, edit }: ImageRequest): MaxTokens {
  const { n = 1, quality, partial_images = 0 } = parameters;
  const inputImages = edit ? n * countOf(edit) : 0;
  const whole = highest.includes(quality) ? maxForImage.highest : maxForImage.normal;
  const each = whole + partial_images * tokensOfPartial;
  return {
    input: n * (Buffer.byteLength(prompt) + overhead) + inputImages * maxTokensOfImage,
    output: n * each,
    calls: n,
    images: n,
    ...(edit && { inputImages }),
  };
}
