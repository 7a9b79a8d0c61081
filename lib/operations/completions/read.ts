/** Reads a valid text completion into an internal request: the prompt is the one message of a user. */

import type { ReadHeader } from '../../core/endpoint.ts';
import { invalid } from '../../core/errors/invalid.ts';
import { type FieldPaths, source, wholeSource } from '../../core/generation/original/source.ts';
import type { GenerationParameters, UserMessage } from '../../core/generation/request.ts';
import type { Asked } from '../../pipeline/generation/prepare.ts';
import type { DebugCategory } from '../answer-facts.ts';
import { readCache } from '../read-cache.ts';
import { given, includesCost } from '../read-request.ts';
import type { CompletionsBody } from './schema.ts';

/** A text completion, read. */
export interface CompletionsInput extends Asked {
  readonly includeUsage: boolean;
  readonly includeCost: boolean;
  readonly debug: readonly DebugCategory[];
  /** What each choice begins with: the prompt, if the caller wants it back. */
  readonly echoed: string;
}

export function readCompletions(
  body: CompletionsBody,
  _given?: unknown,
  header?: ReadHeader,
): CompletionsInput {
  checkFields(body);
  const [prompt = ''] = typeof body.prompt === 'string' ? [body.prompt] : body.prompt;
  const path = typeof body.prompt === 'string' ? 'prompt' : 'prompt.0';
  return {
    model: body.model,
    fallbacks: body.extra?.fallbacks ?? [],
    ...given(body.extra ?? {}, ['guardrails']),
    normalize: body.extra?.normalize ?? true,
    dryRun: body.extra?.dry_run ?? false,
    resumable: body.extra?.resumable ?? false,
    debug: body.extra?.debug ?? [],
    ...readCache(body.extra, header),
    includeUsage: (body.stream_options?.include_usage || body.usage?.include) ?? false,
    includeCost: includesCost(body),
    echoed: body.echo ? prompt : '',
    leftOut: [],
    request: {
      messages: [readPrompt(prompt, path)],
      tools: [],
      parameters: readParameters(body),
      parameterPaths,
      ...(body.suffix && { suffix: body.suffix }),
      stream: body.stream ?? false,
    },
  };
}

function readPrompt(text: string, path: string): UserMessage {
  const from = { [source]: wholeSource(path) };
  return { role: 'user', content: [{ type: 'text', text, ...from }], ...from };
}

/** Parameters that have another name in an internal request. */
const parameterPaths: FieldPaths = {
  messages: 'prompt',
  max_completion_tokens: 'max_tokens',
  top_logprobs: 'logprobs',
};

const plain = [
  'temperature',
  'top_p',
  'n',
  'frequency_penalty',
  'presence_penalty',
  'logit_bias',
  'seed',
  'user',
] as const satisfies readonly (keyof GenerationParameters & keyof CompletionsBody)[];

/** Without `max_tokens` the model's own limit holds, and not the 16 tokens of old: models that reason would say nothing. */
function readParameters(body: CompletionsBody): GenerationParameters {
  const { max_tokens: maxTokens, logprobs, stop } = body;
  return {
    ...given(body, plain),
    ...(maxTokens != null && { max_completion_tokens: maxTokens }),
    ...(logprobs != null && { logprobs: true, top_logprobs: logprobs }),
    ...(stop != null && { stop: typeof stop === 'string' ? [stop] : stop }),
  };
}

function checkFields(body: CompletionsBody): void {
  const n = body.n ?? 1;
  if (body.stream && n > 1) throw invalid('n', "must be 1 when 'stream' is true");
  if (body.stream_options && !body.stream)
    throw invalid('stream_options', "is only allowed when 'stream' is true");
  if (body.best_of != null && body.best_of !== n)
    throw invalid('best_of', "must be the same as 'n': all answers are returned");
  if (body.echo && body.logprobs != null)
    throw invalid('echo', "cannot be combined with 'logprobs': a prompt has none");
}
