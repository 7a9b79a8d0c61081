/** The Jina protocol of the sandbox. */
import { countTexts, embedderOf, listVectors } from '../embeddings/models.ts';
import type { Role } from '../embeddings/vector.ts';
import { type Handler, jsonAnswer, Refusal } from '../exchange.ts';
import { numberOf, objectOf, textOf, textsOf } from '../json.ts';

const roles: Readonly<Record<string, Role>> = {
  'retrieval.query': 'query',
  'retrieval.passage': 'document',
  'text-matching': 'alike',
};
const maxTexts = 512;

const refuse = (detail: string, status = 422): never => {
  throw new Refusal(status, { detail });
};

export const jinaHandler: Handler = ({ headers, method, path, body }) => {
  if (!/^Bearer \S/.test(textOf(headers.authorization))) refuse('Invalid API key', 401);
  if (method !== 'POST' || path !== '/embeddings') refuse('Not Found', 404);
  const { model, input, task = 'text-matching', dimensions, embedding_type: type } = objectOf(body);
  const role = roles[textOf(task)] ?? refuse(`[task] '${String(task)}' is not a task of the model`);
  const texts = textsOf(input);
  if (texts.length > maxTexts) refuse(`[input] List should have at most ${maxTexts} items`);
  const embedder = embedderOf(textOf(model));
  const counted = countTexts(texts);
  return jsonAnswer({
    model,
    object: 'list',
    usage: { total_tokens: counted, prompt_tokens: counted },
    data: listVectors(texts, embedder, { role, dimensions: numberOf(dimensions) }, type),
  });
};
