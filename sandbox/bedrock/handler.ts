/** The Bedrock protocols of the sandbox: Converse, and those of single models. */
import { checkContext } from '../context-limit.ts';
import {
  type Handler,
  jsonAnswer,
  type SandboxRequest,
  type SandboxResponse,
  streamAnswer,
} from '../exchange.ts';
import { checkKeys, objectOf, textOf } from '../json.ts';
import { countInput, decide } from '../script.ts';
import { answerJobs } from './batches.ts';
import { countCache } from './cache.ts';
import { checkRequest } from './check.ts';
import { answerInvoke } from './embeddings.ts';
import { answerGuardrails } from './guardrails.ts';
import { answerClaude, countClaude } from './invoke.ts';
import { answerObjects } from './objects.ts';
import { readConverse } from './read.ts';
import { refuse } from './refuse.ts';
import { checkRoute } from './routes.ts';
import { writeConverse, writeConverseStream } from './write.ts';

/** A model id, with or without the region of an inference profile; or the name of a resource. */
const modelId =
  /^(arn:aws[\w-]*:bedrock:|((us|eu|apac|jp|au|ca|us-gov|global)\.)?(ai21|amazon|anthropic|cohere|deepseek|google|meta|minimax|mistral|moonshot|moonshotai|nvidia|openai|qwen|twelvelabs|writer|xai|zai)\.)/;

export const bedrockHandler: Handler = (request) => {
  const stored = answerObjects(request);
  if (stored) return stored;
  checkAccess(request);
  return answerJobs(request, answerLive, (id) => modelId.test(id)) ?? answerLive(request);
};

const answerLive: Handler = (request) => {
  checkRoute(request);
  const invoked = answerGuardrails(request) ?? answerClaude(request) ?? answerInvoke(request);
  if (invoked) return invoked;
  const counted = countConverse(request);
  if (counted) return counted;
  const { model, stream } = readPath(request);
  const { body, provider } = request;
  checkRequest(body, model);
  const prompt = readConverse(body, model, provider);
  checkContext(prompt, () =>
    refuse('The model returned the following errors: Input is too long for requested model.'),
  );
  const answer = decide(prompt);
  const options = {
    signs: model.includes('anthropic.'),
    cache: countCache(body, model),
    tier: textOf(objectOf(objectOf(body).serviceTier).type) || 'default',
  };
  if (stream) return streamAnswer(writeConverseStream(answer, options), 'application/vnd.amazon.eventstream');
  return jsonAnswer(writeConverse(answer, options));
};

function readPath({ method, path }: SandboxRequest): { model: string; stream: boolean } {
  const [, name, action] = /^\/model\/([^/]+)\/(converse|converse-stream)$/.exec(path) ?? [];
  if (method !== 'POST' || action === undefined) refuse('', 404, 'UnknownOperationException');
  const model = decodeURIComponent(name ?? '');
  if (!modelId.test(model)) refuse('The provided model identifier is invalid.');
  return { model, stream: action === 'converse-stream' };
}

/** A Bedrock key, or a signature. The provider answers 403 to neither. */
function checkAccess({ headers }: SandboxRequest): void {
  if (/^(Bearer \S|AWS4-HMAC-SHA256 .*Signature=[\da-f]{64})/.test(textOf(headers.authorization))) return;
  refuse('Missing Authentication Token', 403, 'MissingAuthenticationTokenException');
}

const known = new Set(['messages', 'system', 'toolConfig', 'additionalModelRequestFields']);

/** Undefined for other requests. */
function countConverse(request: SandboxRequest): SandboxResponse | undefined {
  const { method, path, body, provider } = request;
  const [, name] = /^\/model\/([^/]+)\/count-tokens$/.exec(path) ?? [];
  if (method !== 'POST' || name === undefined) return undefined;
  const model = decodeURIComponent(name);
  if (!model.startsWith('anthropic.')) refuse("The provided model doesn't support counting tokens.");
  const { converse, invokeModel } = objectOf(objectOf(body).input);
  if (invokeModel !== undefined) return countClaude(request, model);
  checkKeys(converse, known, (unknown) => refuse(`The request has an unknown field: ${unknown}`));
  checkRequest(converse, model);
  return jsonAnswer({ inputTokens: countInput(readConverse(converse, model, provider)) });
}
