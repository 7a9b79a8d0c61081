/**
 * One more try without a parameter that the provider names as unsupported. The catalog cannot know every change of
 * every provider; this is the net below it, and each use of it is on record.
 */
import { GatewayError } from '../core/errors.ts';
import type { GenerationRequest, ParameterName } from '../core/generation.ts';
import type { Change, Normalized } from '../normalization/rule.ts';
import { withParameter } from '../normalization/settle.ts';

/** What callers rely on in their answer: a refusal of these is theirs to read. */
const semantic: readonly ParameterName[] = ['response_format', 'tool_choice', 'n'];

/** The limit of tokens has two names, of which some providers know one. */
const otherName: Partial<Record<ParameterName, ParameterName>> = {
  max_tokens: 'max_completion_tokens',
  max_completion_tokens: 'max_tokens',
};

const reason = 'The provider refused this parameter.';

export async function withoutRefused<Answer>(
  normalized: Normalized,
  call: (request: GenerationRequest) => Promise<Answer>,
): Promise<{ readonly answer: Answer; readonly changes: readonly Change[] }> {
  try {
    return { answer: await call(normalized.request), changes: normalized.changes };
  } catch (error) {
    const refused = refusedParameter(error, normalized.request);
    if (refused === undefined) throw error;
    const { request, changes } = without(refused, normalized.request);
    return { answer: await call(request), changes: [...normalized.changes, ...changes] };
  }
}

function refusedParameter(error: unknown, { parameters }: GenerationRequest): ParameterName | undefined {
  if (!(error instanceof GatewayError) || error.kind !== 'upstream_bad_request') return undefined;
  const told = /^Unsupported (?:parameter|value): ['"`]([a-z_]{1,40})['"`]/.exec(error.message)?.[1];
  const isNamed = error.code === 'unsupported_parameter' || error.code === 'unsupported_value';
  const name = isNamed ? (error.param ?? told) : told;
  const set = (Object.keys(parameters) as ParameterName[]).find((parameter) => parameter === name);
  return set && !semantic.includes(set) ? set : undefined;
}

function without(param: ParameterName, request: GenerationRequest): Normalized {
  const before = request.parameters[param];
  const stripped = withParameter(request.parameters, param, undefined);
  const strip = { param, action: 'strip', before, after: null, reason } as const;
  const other = otherName[param];
  if (other === undefined || request.parameters[other] !== undefined) {
    return { request: { ...request, parameters: stripped }, changes: [strip] };
  }
  const add = { param: other, action: 'add', before: null, after: before, reason } as const;
  return {
    request: { ...request, parameters: withParameter(stripped, other, before) },
    changes: [strip, add],
  };
}
