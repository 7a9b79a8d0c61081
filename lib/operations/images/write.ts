/**
 * Writes images in the public format, piece by piece: they are never joined with the rest or with each other, to save memory.
 */
import type { PublicEvent } from '../../core/endpoint.ts';
import type {
  Base64,
  ImageAnswer,
  ImageEcho,
  ImageEvent,
  ImageParameters,
  ImageUsage,
} from '../../core/generation/image.ts';
import { type CostInUsage, withCost } from '../answer-facts.ts';

interface ImageFacts {
  /** Unix seconds. */
  readonly created: number;
  /** What the types of events begin with. */
  readonly kind: 'image_edit' | 'image_generation';
  /** The sent parameters, for what upstream does not report. */
  readonly parameters: ImageParameters;
  /** Known when the use is. */
  readonly cost: () => CostInUsage;
  readonly debug: () => object;
}

export function* writeImages(answer: ImageAnswer, facts: ImageFacts): Generator<string> {
  const known = { created: facts.created, ...writeEcho(answer, facts), ...writeFacts(answer, facts) };
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

/** One image is in memory at a time. */
export async function* writeEvents(
  events: AsyncIterable<ImageEvent>,
  facts: ImageFacts,
): AsyncGenerator<readonly PublicEvent[]> {
  for await (const event of events) yield [writeEvent(event, facts)];
}

function writeEvent(event: ImageEvent, facts: ImageFacts): PublicEvent {
  const isPartial = event.type === 'partial';
  const type = `${facts.kind}.${isPartial ? 'partial_image' : 'completed'}`;
  const known = {
    type,
    created_at: facts.created,
    ...writeEcho(isPartial ? event : event.answer, facts),
    ...(isPartial ? { partial_image_index: event.index } : writeFacts(event.answer, facts)),
  };
  const pieces = isPartial ? event.image : (event.answer.images[0] ?? []);
  return { event: type, data: known, long: { name: 'b64_json', pieces } };
}

const writeFacts = ({ usage }: ImageAnswer, { cost, debug }: ImageFacts): object => ({
  ...(usage && { usage: withCost(writeUsage(usage), cost()) }),
  ...debug(),
});

/** The properties of the images: as reported by upstream, else as sent. `auto` is omitted. */
function writeEcho(answer: ImageEcho, { parameters }: ImageFacts): object {
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
