/** The answers of the chat operation: one body, or the chunks of a stream. */
import * as z from 'zod';
import {
  answeringModel,
  costInUsage,
  count,
  debug,
  nullable,
  reasoningTokens,
  tokenDetails,
  tokenLogprob,
  unixSeconds,
} from './shared.ts';

export const usage = z
  .object({
    prompt_tokens: count('Tokens of the request, cached ones included.'),
    completion_tokens: count('Generated tokens, reasoning included.'),
    total_tokens: count('Both together.'),
    prompt_tokens_details: tokenDetails.describe('Parts of `prompt_tokens`.'),
    completion_tokens_details: reasoningTokens.describe('Parts of `completion_tokens`.'),
    cost: costInUsage,
  })
  .meta({ id: 'ChatUsage', description: 'Token counts.' });

const reasoningDetail = z
  .object({
    type: z
      .enum(['reasoning.text', 'reasoning.summary', 'reasoning.encrypted'])
      .describe('The kind of detail.'),
    format: z.string().describe('The provider family that made it.'),
    index: z.int().describe('Its position in the list.'),
    id: z.string().optional().describe('The tool call that it belongs to.'),
    text: z.string().optional().describe('The reasoning text.'),
    signature: z.string().optional().describe("The provider's signature of the text."),
    summary: z.string().optional().describe('A summary of the reasoning.'),
    data: z.string().optional().describe('Reasoning that only the provider can read.'),
  })
  .meta({ id: 'ReasoningDetailAnswer', description: 'A piece of reasoning. Send it back unchanged.' });

const citation = z
  .object({
    type: z.literal('url_citation').describe('Always `url_citation`.'),
    url_citation: z
      .object({
        url: z.string().describe('The address of the source.'),
        title: z.string().describe('Its title.'),
        start_index: z.int().describe('Where the cited text begins in the message, in characters.'),
        end_index: z.int().describe('Where it ends.'),
      })
      .describe('The source.'),
  })
  .meta({ id: 'UrlCitation', description: 'A web source that the answer cites.' });

const extraContent = z
  .looseObject({
    google: z
      .looseObject({
        thought_signature: z.string().describe('The signature of the reasoning that led to the call.'),
      })
      .describe('Data of Gemini.'),
  })
  .optional()
  .describe('Data of the provider that belongs to the call. Send it back unchanged.');

const toolCall = z
  .object({
    id: z.string().describe('The id of the call.'),
    type: z.literal('function').describe('Always `function`.'),
    function: z
      .object({
        name: z.string().describe('The name of the function.'),
        arguments: z.string().describe('The arguments, as JSON text.'),
      })
      .describe('The function to call.'),
    extra_content: extraContent,
  })
  .meta({ id: 'ToolCall', description: 'A call of one of the tools of the request.' });

const details = z.array(reasoningDetail).optional().describe('The reasoning with its signatures.');
const annotations = z.array(citation).optional().describe('The sources that the answer cites.');

const message = z
  .object({
    role: z.literal('assistant').describe('Always `assistant`.'),
    content: nullable(z.string()).describe('The text. Null when the model only called tools or refused.'),
    refusal: nullable(z.string()).describe('Why the model refused, if it did.'),
    reasoning_content: z.string().optional().describe('The readable reasoning.'),
    reasoning_details: details,
    tool_calls: z.array(toolCall).optional().describe('The tools that the model calls.'),
    annotations,
  })
  .meta({
    id: 'ChatAnswerMessage',
    description: 'The answer of the model. Send it back unchanged to continue the conversation.',
  });

const logprobs = nullable(
  z.object({
    content: nullable(z.array(tokenLogprob)).describe('Of the text.'),
    refusal: nullable(z.array(tokenLogprob)).describe('Of the refusal.'),
  }),
).describe('Log probabilities, when the request asks for them.');

const finishReasons = ['stop', 'length', 'tool_calls', 'content_filter'] as const;

const meta = {
  system_fingerprint: z.string().optional().describe("The provider's fingerprint of its configuration."),
  service_tier: z.string().optional().describe('The tier that the provider used.'),
};

const choiceIndex = z.int().describe('The position of the choice: 0, and more with `n`.');

export const chatCompletion = z
  .object({
    id: z.string().describe('The id of the completion.'),
    object: z.literal('chat.completion').describe('Always `chat.completion`.'),
    created: unixSeconds,
    model: answeringModel,
    ...meta,
    choices: z
      .array(
        z.object({
          index: choiceIndex,
          message,
          logprobs,
          finish_reason: z.enum(finishReasons).describe('Why the model stopped.'),
        }),
      )
      .describe('The answers: one, or as many as `n`.'),
    usage: usage.optional().describe('Token counts.'),
    debug: debug.optional().describe('What happened to the request, when `extra.debug` asks for it.'),
  })
  .meta({ id: 'ChatCompletion', description: 'A chat completion.' });

const deltaCall = z.object({
  index: z.int().describe('Which call of the choice this belongs to: 0, 1, and so on.'),
  id: z.string().optional().describe('The id of the call, in its first chunk.'),
  type: z.literal('function').optional().describe('Always `function`, in its first chunk.'),
  function: z
    .object({
      name: z.string().optional().describe('The name of the function, in the first chunk of the call.'),
      arguments: z.string().describe('The next piece of the arguments.'),
    })
    .describe('The function to call.'),
  extra_content: extraContent,
});

const delta = z.object({
  role: z.literal('assistant').optional().describe('Always `assistant`, in the first chunk of a choice.'),
  content: z.string().optional().describe('The next piece of text.'),
  refusal: z.string().optional().describe('The next piece of a refusal.'),
  reasoning_content: z.string().optional().describe('The next piece of readable reasoning.'),
  reasoning_details: details,
  tool_calls: z.array(deltaCall).optional().describe('The next piece of a tool call.'),
  annotations,
});

export const chatCompletionChunk = z
  .object({
    id: z.string().describe('The id of the completion, the same in every chunk.'),
    object: z.literal('chat.completion.chunk').describe('Always `chat.completion.chunk`.'),
    created: unixSeconds,
    model: answeringModel,
    ...meta,
    choices: z
      .array(
        z.object({
          index: choiceIndex,
          delta: delta.describe('What is new.'),
          logprobs,
          finish_reason: nullable(z.enum(finishReasons)).describe(
            'Why the model stopped, in the last chunk of a choice.',
          ),
        }),
      )
      .describe('The choice that has something new. Empty in the usage chunk.'),
    usage: nullable(usage)
      .optional()
      .describe('Token counts, in the last chunk, when `stream_options.include_usage` is set.'),
    debug: debug.optional().describe('What happened to the request, when `extra.debug` asks for it.'),
  })
  .meta({
    id: 'ChatCompletionChunk',
    description:
      'One event of a chat stream, as `data: {…}`. The stream ends with `data: [DONE]`. When it fails after its first token, the last event is an error object, without `[DONE]`.',
  });
