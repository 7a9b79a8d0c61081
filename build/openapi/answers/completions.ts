/** The answers of the text completions operation: one body, or the chunks of a stream. */
import * as z from 'zod';
import { usage } from './chat.ts';
import { answeringModel, debug, nullable, unixSeconds } from './shared.ts';

const logprobs = nullable(
  z.object({
    tokens: z.array(z.string()).describe('The tokens.'),
    token_logprobs: z.array(z.number()).describe('The logarithm of the probability of each.'),
    top_logprobs: z
      .array(z.record(z.string(), z.number()))
      .describe('The most likely tokens at each position, with theirs.'),
    text_offset: z.array(z.int()).describe('Where each token begins in the generated text, in characters.'),
  }),
).describe('The probabilities of the tokens, when `logprobs` is set.');

const finishReason = z.enum(['stop', 'length', 'tool_calls', 'content_filter']);

const common = {
  created: unixSeconds,
  model: answeringModel,
  object: z.literal('text_completion').describe('Always `text_completion`.'),
  system_fingerprint: z.string().optional().describe("The provider's version of the model."),
  service_tier: z.string().optional().describe('The tier that processed the request.'),
  debug: debug.optional().describe('What happened to the request, when `extra.debug` asks for it.'),
};

const choice = {
  index: z.int().describe('The number of the choice, from 0.'),
  text: z.string().describe('The text. Reasoning is not part of it.'),
  logprobs,
};

export const completion = z
  .object({
    id: z.string().describe('The id of the completion.'),
    ...common,
    choices: z
      .array(z.object({ ...choice, finish_reason: finishReason.describe('Why the model stopped.') }))
      .describe('The completions: one, or as many as `n`.'),
    usage: usage.optional().describe('Token counts.'),
  })
  .meta({ id: 'Completion', description: 'A text completion.' });

export const completionChunk = z
  .object({
    id: z.string().describe('The id of the completion, the same in every chunk.'),
    ...common,
    choices: z
      .array(
        z.object({
          ...choice,
          text: z.string().describe('The next piece of the text.'),
          finish_reason: nullable(finishReason).describe(
            'Why the model stopped, in the last chunk of a choice.',
          ),
        }),
      )
      .describe('The choice that has something new. Empty in the usage chunk.'),
    usage: nullable(usage)
      .optional()
      .describe('Token counts, in the last chunk, when `stream_options.include_usage` is set.'),
  })
  .meta({
    id: 'CompletionChunk',
    description:
      'One event of the stream of a text completion, as `data: {…}`. The stream ends with `data: [DONE]`. When it fails after its first token, the last event is an error object, without `[DONE]`.',
  });
