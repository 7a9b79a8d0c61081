/**
 * A request in Claude's own protocol without its thinking, for a target that the gateway chose after another one: a signature is
 * of one model at one place, and the caller cannot know where the request went. Source: vybestack/llxprt-code issue 2335.
 */
import type { OriginalRemedy } from '../../generation/prepare.ts';
import { withoutThinking } from './original-thinking.ts';

const rejectsSignature = /\bInvalid `?signature`? in `?thinking`? block\b/;

export const withoutForeignThinking: OriginalRemedy = ({ kind, message }, request) => {
  const { original } = request;
  if (!original || kind !== 'upstream_bad_request' || !rejectsSignature.test(message)) return undefined;
  const { body, changes } = withoutThinking(original.body);
  return changes.length > 0
    ? { request: { ...request, original: { ...original, body } }, changes }
    : undefined;
};
