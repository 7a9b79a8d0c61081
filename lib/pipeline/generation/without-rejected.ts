/**
 * A request without what its provider has just rejected by name. The catalog cannot know every change of every provider, nor
 * which encrypted reasoning a provider can still read; this is the safety net below it, and each use of it is recorded.
 */
import type { GatewayError } from '../../core/errors/errors.ts';
import { pathOf, renamePath } from '../../core/generation/original/source.ts';
import type { GenerationRequest, ParameterName } from '../../core/generation/request.ts';
import { withParameter } from '../../normalization/parameter-rules.ts';
import { added, type Change, type Normalized, stripped } from '../../normalization/rule.ts';

type RetryModifier = (rejection: GatewayError, request: GenerationRequest) => Normalized | undefined;

/** The first that applies counts. */
const modifiers: readonly RetryModifier[] = [withoutReasoning, withoutParameter];

/** Callers rely on these in their answer: a rejection of them is reported. */
const essential: readonly ParameterName[] = ['response_format', 'tool_choice', 'n'];

/** The limit of tokens has two names, of which some providers know one. */
const otherName: Partial<Record<ParameterName, ParameterName>> = {
  max_tokens: 'max_completion_tokens',
  max_completion_tokens: 'max_tokens',
};

/**
 * The second as OpenAI writes it (openai/openai-agents-python issue 569), without a code; then Gemini
 * (decolua/9router issue 4136, lbjlaq/Antigravity-Manager pull 3342, NoeFabris/opencode-antigravity-auth issue 368).
 */
const rejectsReasoning: readonly RegExp[] = [
  /^[\w ,.()-]{0,80}\bencrypted[ _]content\b/i,
  /^Reasoning input items can only be provided to a reasoning\b/i,
  /^(?:Corrupted|Invalid) thought signature\b/i,
  /^[\w ]{0,60}\bThought signature is not valid\b/i,
];

const reason = 'The provider rejected this parameter.';

/** Undefined where the failure is no rejection of something that can be left out. */
export function withoutRejected(error: GatewayError, request: GenerationRequest): Normalized | undefined {
  if (error.kind !== 'upstream_bad_request') return undefined;
  for (const modifier of modifiers) {
    const modified = modifier(error, request);
    if (modified) return modified;
  }
  return undefined;
}

/** Encrypted reasoning can be read by the account that made it alone, for a limited time, and not by every model. */
function withoutReasoning(
  { code, message }: GatewayError,
  request: GenerationRequest,
): Normalized | undefined {
  if (code !== 'invalid_encrypted_content' && !rejectsReasoning.some((form) => form.test(message)))
    return undefined;
  const changes: Change[] = [];
  const messages = request.messages.map((message) => {
    if (message.role !== 'assistant' || message.reasoningDetails.length === 0) return message;
    changes.push(
      stripped(
        pathOf(message, 'reasoningDetails'),
        message.reasoningDetails.map(({ type }) => type),
        'The provider does not take this reasoning back.',
      ),
    );
    return { ...message, reasoningDetails: [] };
  });
  return changes.length > 0 ? { request: { ...request, messages }, changes } : undefined;
}

function withoutParameter(rejection: GatewayError, request: GenerationRequest): Normalized | undefined {
  const param = rejectedParameter(rejection, request);
  if (param === undefined) return undefined;
  const before = request.parameters[param];
  const rest = withParameter(request.parameters, param, undefined);
  const pathTo = (name: ParameterName) => renamePath(name, request.parameterPaths);
  const strip = stripped(pathTo(param), before, reason);
  const other = otherName[param];
  if (other === undefined || request.parameters[other] !== undefined) {
    return { request: { ...request, parameters: rest }, changes: [strip] };
  }
  return {
    request: { ...request, parameters: withParameter(rest, other, before) },
    changes: [strip, added(pathTo(other), before, reason)],
  };
}

/** The code says it, or the sentence, which may give the field another name than the gateway. */
function rejectedParameter(
  { code, upstreamParam, message }: GatewayError,
  { parameters }: GenerationRequest,
): ParameterName | undefined {
  const isNamed = code === 'unsupported_parameter' || code === 'unsupported_value';
  const named = /^Unsupported (?:parameter|value): ['"`]([\w.]{1,40})['"`]/.exec(message)?.[1];
  const name = isNamed || named !== undefined ? (upstreamParam ?? named) : undefined;
  const set = (Object.keys(parameters) as ParameterName[]).find((parameter) => parameter === name);
  return set && !essential.includes(set) ? set : undefined;
}
