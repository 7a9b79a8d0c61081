/**
 * A request in Claude's own protocol without its thinking, where a target has refused the signatures: they are of one model, and
 * of the newest models bound to the conversation before them. Sources: vybestack/llxprt-code issue 2335, openclaw/openclaw issue
 * 95052.
 */
import type { OriginalRetry } from '../../../../pipeline/generation/prepare.ts';
import { withoutThinking } from './original-thinking.ts';

const rejectsSignature = /\bInvalid `?signature`? in `?thinking`? block\b/;

export const withoutForeignThinking: OriginalRetry = ({ kind, message }, request) => {
  const { original } = request;
  if (!original || kind !== 'upstream_bad_request' || !rejectsSignature.test(message)) return undefined;
  const { body, changes } = withoutThinking(original.body);
  return changes.length > 0
    ? { request: { ...request, original: { ...original, body } }, changes }
    : undefined;
};
