/**
 * One more try without what the provider refuses by name. The catalog cannot know every change of every provider, nor
 * what a provider still can read; this is the net below it, and each use of it is on record.
 */
import { GatewayError } from '../core/errors.ts';
import type { GenerationRequest, ParameterName } from '../core/generation/request.ts';
import { pathOf, renamePath } from '../core/generation/source.ts';
import { withParameter } from '../normalization/parameter-rules.ts';
import type { Change, Normalized } from '../normalization/rule.ts';

/** Gives the request without what was refused; undefined where the refusal is of something else. */
type Remedy = (refusal: GatewayError, request: GenerationRequest) => Normalized | undefined;

/** The first that has an answer counts. */
const remedies: readonly Remedy[] = [withoutReasoning, withoutParameter];

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
  const { request, changes } = normalized;
  try {
    return { answer: await call(request), changes };
  } catch (error) {
    const mended = mend(error, request);
    if (mended === undefined) throw error;
    return { answer: await call(mended.request), changes: [...changes, ...mended.changes] };
  }
}

function mend(error: unknown, request: GenerationRequest): Normalized | undefined {
  if (!(error instanceof GatewayError) || error.kind !== 'upstream_bad_request') return undefined;
  for (const remedy of remedies) {
    const mended = remedy(error, request);
    if (mended) return mended;
  }
  return undefined;
}

/** What a provider encrypted can be read by the same account alone, and not for ever. */
function withoutReasoning(
  { code, message }: GatewayError,
  request: GenerationRequest,
): Normalized | undefined {
  const isRefused = code === 'invalid_encrypted_content' || /\bencrypted[ _]content\b/i.test(message);
  if (!isRefused) return undefined;
  const changes: Change[] = [];
  const messages = request.messages.map((message) => {
    if (message.role !== 'assistant' || message.reasoningDetails.length === 0) return message;
    changes.push({
      param: pathOf(message, 'reasoningDetails'),
      action: 'strip',
      before: message.reasoningDetails.map(({ type }) => type),
      after: null,
      reason: 'The provider cannot read its reasoning any more.',
    });
    return { ...message, reasoningDetails: [] };
  });
  return changes.length > 0 ? { request: { ...request, messages }, changes } : undefined;
}

function withoutParameter(refusal: GatewayError, request: GenerationRequest): Normalized | undefined {
  const param = refusedParameter(refusal, request);
  if (param === undefined) return undefined;
  const before = request.parameters[param];
  const stripped = withParameter(request.parameters, param, undefined);
  const pathTo = (name: ParameterName) => renamePath(name, request.parameterPaths);
  const strip = { param: pathTo(param), action: 'strip', before, after: null, reason } as const;
  const other = otherName[param];
  if (other === undefined || request.parameters[other] !== undefined) {
    return { request: { ...request, parameters: stripped }, changes: [strip] };
  }
  const add = { param: pathTo(other), action: 'add', before: null, after: before, reason } as const;
  return {
    request: { ...request, parameters: withParameter(stripped, other, before) },
    changes: [strip, add],
  };
}

/** The code says it, or the sentence, which may name the field by another name than the house's. */
function refusedParameter(
  { code, upstreamParam, message }: GatewayError,
  { parameters }: GenerationRequest,
): ParameterName | undefined {
  const isNamed = code === 'unsupported_parameter' || code === 'unsupported_value';
  const told = /^Unsupported (?:parameter|value): ['"`]([\w.]{1,40})['"`]/.exec(message)?.[1];
  const name = isNamed || told !== undefined ? (upstreamParam ?? told) : undefined;
  const set = (Object.keys(parameters) as ParameterName[]).find((parameter) => parameter === name);
  return set && !semantic.includes(set) ? set : undefined;
}
