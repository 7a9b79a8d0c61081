/**
 * The embeddings of the Gemini protocol of the sandbox. As the provider does, it silently cuts what is too long, and
 * normalizes only whole vectors of its first model.
 */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { countTexts, embedderOf, encodeText, isEmbedder } from '../embeddings/models.ts';
import type { Role } from '../embeddings/vector.ts';
import { jsonAnswer, type SandboxRequest, type SandboxResponse } from '../exchange.ts';
import { checkKeys, numberOf, objectOf, objectsOf, textOf } from '../json.ts';
import { refuse, refuseUnknown } from './refuse.ts';

const fields = new Set(['model', 'content', 'taskType', 'title', 'outputDimensionality']);
const maxTexts = 100;

/** How much longer than one a shortened vector may be. */
const stretched = 1.25;

const charactersPerToken = 4;

const actions = /^\/models\/([^/:]+):(batchEmbedContents|countTokens)$/;

/** Undefined for a path that is none of these. */
export function answerEmbeddings({ method, path, body }: SandboxRequest): SandboxResponse | undefined {
  const [, name = '', action] = actions.exec(path) ?? [];
  const model = decodeURIComponent(name);
  if (method !== 'POST' || action === undefined) return undefined;
  if (!isEmbedder(model)) {
    const message = `models/${model} is not found for API version v1beta, or is not supported for embedContent.`;
    refuse(message, 404, 'NOT_FOUND');
  }
  if (action === 'countTokens') {
    return jsonAnswer({ totalTokens: countTexts(objectsOf(objectOf(body).contents).map(textOfContent)) });
  }
  const requests = objectsOf(objectOf(body).requests);
  if (requests.length > maxTexts) {
    refuse('* BatchEmbedContentsRequest.requests: at most 100 requests can be in one batch');
  }
  return jsonAnswer({ embeddings: requests.map((request) => ({ values: embedOne(request, model) })) });
}

function embedOne(request: JsonObject, model: string): readonly number[] {
  checkKeys(request, fields, (unknown) => refuseUnknown(unknown, 'requests[0]'));
  if (request.model !== `models/${model}`) refuse('* BatchEmbedContentsRequest.model: model mismatch');
  const embedder = embedderOf(model);
  const dimensions = numberOf(request.outputDimensionality) ?? embedder.whole;
  if (!embedder.gives(dimensions)) refuse(`Invalid output dimensionality: ${dimensions}.`);
  const text = textOfContent(objectOf(request.content)).slice(0, embedder.limit * charactersPerToken);
  const vector = encodeText(text, embedder, { role: roleOf(request.taskType), dimensions });
  const isNormal = dimensions === embedder.whole || embedder.traits.dimensions?.normalizedUpstream !== false;
  return Array.from(vector, (number) => (isNormal ? number : number * stretched));
}

export const textOfContent = ({ content, parts }: JsonObject): string =>
  objectsOf(parts ?? objectOf(content).parts)
    .map(({ text }) => textOf(text))
    .join('');

export function roleOf(task: unknown): Role {
  if (task === undefined) return 'alike';
  if (task === 'RETRIEVAL_QUERY') return 'query';
  return task === 'RETRIEVAL_DOCUMENT' ? 'document' : refuse(`Invalid value at 'task_type': ${String(task)}`);
}
