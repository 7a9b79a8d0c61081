/** Reads how much the model is to reason: an effort, or a number of tokens, each under whichever name the caller chose. */

import * as z from 'zod/mini';
import { invalid } from '../../../core/errors/invalid.ts';
import { type BodyOf, strictObjectOf } from '../../../core/formats/given-fields.ts';
import type { FieldPaths } from '../../../core/generation/original/source.ts';
import { reasoningEfforts } from '../../../core/generation/parameters.ts';
import type { GenerationParameters, ReasoningEffort } from '../../../core/generation/request.ts';
import { given } from '../../read-request.ts';
import { nullish, nullishFlag, tokenCount } from '../../request-schema.ts';

const effort = () => nullish(z.enum(reasoningEfforts));

export const reasoningFields = {
  reasoning_effort: effort,
  reasoning: () =>
    nullish(
      strictObjectOf({
        effort,
        max_tokens: tokenCount,
        exclude: nullishFlag,
        enabled: nullishFlag,
        summary: () => nullish(z.enum(['auto', 'concise', 'detailed'])),
      }),
    ),
  thinking: () =>
    nullish(
      strictObjectOf({
        type: z.enum(['enabled', 'disabled', 'adaptive']),
        budget_tokens: tokenCount,
        display: () => nullish(z.enum(['summarized', 'omitted'])),
      }),
    ),
};

type ReasoningBody = BodyOf<typeof reasoningFields>;

interface ReadReasoning {
  readonly parameters: Pick<
    GenerationParameters,
    'reasoning_effort' | 'reasoning_max_tokens' | 'reasoning_summary'
  >;
  /** The caller's names of these. */
  readonly paths: FieldPaths;
}

/** A value and the caller's path of it. */
type Named<Value> = readonly [path: string, value: Value | null | undefined];

/** What reasoning is that is only switched on. */
const switchedOn = 'medium';

/** @throws GatewayError `invalid_request` for two values that contradict each other. */
export function readReasoning({ reasoning_effort, reasoning, thinking }: ReasoningBody): ReadReasoning {
  const isOff = reasoning?.enabled === false;
  const effort = theOnly<ReasoningEffort>([
    ['reasoning_effort', reasoning_effort],
    ['reasoning.effort', reasoning?.effort],
    ['reasoning.enabled', isOff ? 'none' : undefined],
    ['thinking.type', thinking?.type === 'disabled' ? 'none' : undefined],
  ]);
  const tokens = theOnly<number>([
    ['reasoning.max_tokens', reasoning?.max_tokens],
    ['thinking.budget_tokens', thinking?.budget_tokens],
  ]);
  const [effortPath, effortValue] = effort ?? (tokens ? [] : onlyOn({ reasoning, thinking }));
  return {
    parameters: {
      ...(effortValue && { reasoning_effort: effortValue }),
      ...(tokens && { reasoning_max_tokens: tokens[1] }),
      ...(reasoning?.summary && { reasoning_summary: reasoning.summary }),
    },
    paths: {
      ...given({ reasoning_effort: effortPath, reasoning_max_tokens: tokens?.[0] }, [
        'reasoning_effort',
        'reasoning_max_tokens',
      ]),
      reasoning_summary: 'reasoning.summary',
    },
  };
}

/** Whether the answer is to be without its readable reasoning. */
export function hidesReasoning({ reasoning, thinking }: ReasoningBody): boolean {
  return reasoning?.exclude === true || thinking?.display === 'omitted';
}

function theOnly<Value>(all: readonly Named<Value>[]): readonly [string, Value] | undefined {
  let first: readonly [string, Value] | undefined;
  for (const [path, value] of all) {
    if (value == null) continue;
    first ??= [path, value];
    if (value !== first[1]) throw invalid(path, `contradicts '${first[0]}'`);
  }
  return first;
}

function onlyOn({
  reasoning,
  thinking,
}: Pick<ReasoningBody, 'reasoning' | 'thinking'>): readonly [string, ReasoningEffort] | readonly [] {
  if (reasoning?.enabled) return ['reasoning.enabled', switchedOn];
  return thinking && thinking.type !== 'disabled' ? ['thinking.type', switchedOn] : [];
}
