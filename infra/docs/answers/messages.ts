/** The answers of the Messages operations: one body, or the events of a stream. */
import * as z from 'zod';
import { answeringModel, debug, nullable } from './shared.ts';

export const message = z
  .object({
    id: z.string().describe('The id of the message.'),
    type: z.literal('message').describe('Always `message`.'),
    role: z.literal('assistant').describe('Always `assistant`.'),
    model: answeringModel,
    content: z
      .array(z.looseObject({ type: z.string().describe('The type of the block.') }))
      .describe('What the model wrote, in order.'),
    stop_reason: nullable(z.string()).describe('Why the model stopped.'),
    stop_sequence: nullable(z.string()).describe('The text at which it stopped, if it was one.'),
    debug: debug.optional().describe('What happened to the request, when `extra.debug` asks for it.'),
  })
  .meta({ id: 'Message', description: 'An answer of the Messages API.' });

export const messageEvent = z
  .looseObject({ type: z.string().describe('The type of the event, the same as its name.') })
  .meta({ id: 'MessageStreamEvent', description: 'One event of the stream of a message.' });

export const messageTokens = z
  .object({
    input_tokens: z.int().describe('How many tokens the input has.'),
    context_management: z
      .looseObject({})
      .optional()
      .describe("Of models of Anthropic's: what the edits of `context_management` leave out."),
    estimated: z
      .literal(true)
      .optional()
      .describe('`true` when the provider does not count for this model, so that the gateway estimated it.'),
    debug: debug.optional().describe('What happened to the request, when `extra.debug` asks for it.'),
  })
  .meta({ id: 'MessageTokensCount', description: 'The number of tokens of an input.' });
