/** The events of a Responses stream. */
import * as z from 'zod';
import { outputItem, part, response, summaryPart } from './responses.ts';
import { integer, list, nullable, text, tokenLogprob } from './shared.ts';

const position = {
  item_id: text('The item that the event belongs to.'),
  output_index: integer('Its position in `output`.'),
};
const inContent = { ...position, content_index: integer('The position of the part in `content`.') };
const inSummary = { ...position, summary_index: integer('The position of the part in `summary`.') };
const delta = text('The next piece.');
const wholeText = text('The whole text.');
const logprobs = list(tokenLogprob, 'Log probabilities, when the request asks for them.');

const event = <Shape extends z.ZodRawShape>(type: string, shape: Shape) =>
  z.object({
    type: z.literal(type).describe('The type of the event, also its SSE event name.'),
    sequence_number: integer('Counts the events of the stream from 0, without gaps.'),
    ...shape,
  });

const whole = { response: response.describe('The response so far.') };
const itemOf = { output_index: position.output_index, item: outputItem.describe('The item.') };

export const responseEvent = z
  .union([
    event('response.created', whole),
    event('response.queued', whole),
    event('response.in_progress', whole),
    event('response.output_item.added', itemOf),
    event('response.output_item.done', itemOf),
    event('response.content_part.added', { ...inContent, part }),
    event('response.content_part.done', { ...inContent, part }),
    event('response.output_text.delta', { ...inContent, delta, logprobs }),
    event('response.output_text.done', { ...inContent, text: wholeText, logprobs }),
    event('response.output_text.annotation.added', {
      ...inContent,
      annotation_index: integer('The position in `annotations`.'),
      annotation: z.looseObject({}).describe('The citation.'),
    }),
    event('response.refusal.delta', { ...inContent, delta }),
    event('response.refusal.done', { ...inContent, refusal: wholeText }),
    event('response.function_call_arguments.delta', { ...position, delta }),
    event('response.function_call_arguments.done', {
      ...position,
      name: text('The name of the function.'),
      arguments: text('The whole arguments, as JSON text.'),
    }),
    event('response.reasoning_summary_part.added', { ...inSummary, part: summaryPart }),
    event('response.reasoning_summary_part.done', { ...inSummary, part: summaryPart }),
    event('response.reasoning_summary_text.delta', { ...inSummary, delta }),
    event('response.reasoning_summary_text.done', { ...inSummary, text: wholeText }),
    event('response.web_search_call.in_progress', position),
    event('response.web_search_call.searching', position),
    event('response.web_search_call.completed', position),
    event('response.completed', whole),
    event('response.incomplete', whole),
    event('response.failed', whole),
    event('error', {
      code: nullable(text('The error code.')),
      message: text('What failed.'),
      param: nullable(text('The field at fault.')),
    }),
  ])
  .meta({
    id: 'ResponseStreamEvent',
    description:
      'One event of a Responses stream. The last one is `response.completed`, `response.incomplete` or `response.failed`.',
  });
