/** Images: `POST /v1/images/generations`. */
import type { Answer, Call, Endpoint } from '../../core/endpoint.ts';
import { GatewayError } from '../../core/errors.ts';
import type { ImageParameters, ImageRequest, ImageUsage } from '../../core/image.ts';
import type { Target } from '../../core/model.ts';
import type { Usage } from '../../core/usage.ts';
import type { Change } from '../../normalization/rule.ts';
import { type Settled, settle } from '../../normalization/settle.ts';
import { type Drawn, draw } from '../../providers/draw.ts';
import type { Images, Provider } from '../../providers/provider.ts';
import { gatewayHeaders, modelDeprecations } from '../answer-facts.ts';
import { writeDebug } from '../debug.ts';
import { type Routed, type RouteParts, route } from '../route.ts';
import { withinDrawingTime } from './drawing-time.ts';
import { type ImagesInput, readImages } from './read.ts';
import { imagesSchema } from './schema.ts';
import { writeImages } from './write.ts';

/** What a target drew, and what it was told to. */
interface DrawnAsTold extends Drawn {
  readonly parameters: ImageParameters;
  readonly changes: readonly Change[];
}

export function imagesEndpoint(parts: RouteParts): Endpoint<typeof imagesSchema, ImagesInput> {
  return {
    schema: imagesSchema,
    read: readImages,
    answer: async (call) => write(parts, call, await withinDrawingTime(call, (ending) => ask(parts, ending))),
  };
}

async function ask(parts: RouteParts, call: Call<ImagesInput>): Promise<Routed<DrawnAsTold>> {
  const { model, fallbacks, request } = call.input;
  const routed = await route(
    parts,
    { endpoint: 'images_generations', model, fallbacks, needs: ['text'] },
    {
      canServe: ({ images }) => images !== undefined,
      check: (target) => void settleFor(wireOf(parts, target).images, target, request),
      ask: (target, _primary, limitMs) => askTarget(parts, target, { request, limitMs }, call.signal),
      firstTokenMs: ({ model: { clocks } }) => clocks.bodyMs * shareOfTheFirst,
      mostTokens: () => mostTokens(request),
    },
    call,
  );
  parts.health.succeeded(routed.target);
  return routed;
}

/** What the largest image at the highest quality counts, with room above. */
const mostForImage = 16_384;

/** No token is shorter than a byte. */
function mostTokens({ prompt, parameters: { n = 1 } }: ImageRequest) {
  return { input: n * Buffer.byteLength(prompt), output: n * mostForImage };
}

/** What a target gets of its clock while another one is left: two shall fit into the time of one request. */
const shareOfTheFirst = 0.5;

async function askTarget(
  { connections, ...parts }: RouteParts,
  target: Target,
  { request, limitMs }: { readonly request: ImageRequest; readonly limitMs: number | undefined },
  signal: AbortSignal,
): Promise<DrawnAsTold> {
  const { provider, images } = wireOf(parts, target);
  const { parameters, changes } = settleFor(images, target, request);
  const told = { ...request, parameters };
  const firstByteMs = connections.clocks.firstByteMs ?? limitMs;
  const clocks = { ...connections.clocks, ...(firstByteMs !== undefined && { firstByteMs }) };
  const drawn = await draw(provider, images, target, told, { ...connections, clocks }, signal);
  return { ...drawn, parameters, changes };
}

/** @throws GatewayError `invalid_request` for what the target cannot do and must not leave out. */
function settleFor(images: Images, target: Target, request: ImageRequest): Settled<ImageParameters> {
  return settle(request.parameters, images.rules, (parameters) => ({ request, parameters, target }));
}

function wireOf(
  { providers }: Pick<RouteParts, 'providers'>,
  { deployment }: Target,
): { provider: Provider; images: Images } {
  const provider = providers.get(deployment.provider);
  if (provider?.images) return { provider, images: provider.images };
  throw new GatewayError('upstream_model_missing', 'The catalog names a provider that draws no images.');
}

function write(parts: RouteParts, { input, facts }: Call<ImagesInput>, routed: Routed<DrawnAsTold>): Answer {
  const { target, attempts, answer: drawn } = routed;
  if (drawn.answer.usage) facts.usage = toUsage(drawn.answer.usage);
  const details = {
    changes: [...input.changes, ...routed.changes, ...drawn.changes],
    sandbox: drawn.sandbox,
  };
  facts.normalizations = details.changes.length;
  const deprecations = [...input.deprecations, ...modelDeprecations(target.model)];
  const debug = writeDebug(input.debug, { changes: details.changes, deprecations, attempts });
  const created = Math.floor(parts.now() / 1000);
  const text = writeImages(drawn.answer, { created, parameters: drawn.parameters, debug });
  return { type: 'large-json', headers: gatewayHeaders({ details }), text };
}

function toUsage({ inputTokens, cachedTokens, outputTokens }: ImageUsage): Usage {
  return {
    promptTokens: inputTokens,
    cachedTokens,
    cacheWriteTokens: 0,
    completionTokens: outputTokens,
    reasoningTokens: 0,
  };
}
