/**
 * Counts the tokens of a conversation. Source: AWS, Bedrock API reference, CountTokens. Inference profiles are refused
 * (pydantic/pydantic-ai issue 4001), and so are models of most owners.
 */
import { jsonAnswer, type SandboxRequest, type SandboxResponse } from '../exchange.ts';
import { objectOf, unknownKey } from '../json.ts';
import { countInput } from '../script.ts';
import { checkRequest } from './check.ts';
import { countClaude } from './invoke.ts';
import { readConverse } from './read.ts';
import { refuse } from './refuse.ts';

const known = new Set(['messages', 'system', 'toolConfig', 'additionalModelRequestFields']);

/** Undefined for other requests. */
export function countConverse(request: SandboxRequest): SandboxResponse | undefined {
  const { method, path, body, provider } = request;
  const [, name] = /^\/model\/([^/]+)\/count-tokens$/.exec(path) ?? [];
  if (method !== 'POST' || name === undefined) return undefined;
  const model = decodeURIComponent(name);
  if (!model.startsWith('anthropic.')) refuse("The provided model doesn't support counting tokens.");
  const { converse, invokeModel } = objectOf(objectOf(body).input);
  if (invokeModel !== undefined) return countClaude(request, model);
  const unknown = unknownKey(converse, known);
  if (unknown !== undefined) refuse(`The request has an unknown field: ${unknown}`);
  checkRequest(converse, model);
  return jsonAnswer({ inputTokens: countInput(readConverse(converse, model, provider)) });
}
