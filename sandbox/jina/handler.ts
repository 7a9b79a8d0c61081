/** The protocols of Jina and Voyage of the sandbox: embeddings and reranking. */
import { countTexts, embedderOf, isEmbedder, listVectors } from '../embeddings/models.ts';
import type { Role } from '../embeddings/vector.ts';
import { type Handler, jsonAnswer, Refusal } from '../exchange.ts';
import { checkKeys, numberOf, objectOf, textOf, textsOf, wordSet } from '../json.ts';
import { answerJina, answerVoyage } from '../rerank.ts';

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
  if (method === 'POST' && path === '/rerank') return answerJina(objectOf(body), refuse);
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

const voyageFields = wordSet(
  'model input input_type truncation output_dimension output_dtype encoding_format',
);
const maxVoyageTexts = 1000;
const maxTokens = 120_000;

const refuseVoyage = (detail: string, status = 400): never => {
  throw new Refusal(status, { detail });
};

export const voyageHandler: Handler = ({ headers, method, path, body }) => {
  if (!/^Bearer \S/.test(textOf(headers.authorization))) refuseVoyage('Provided API key is invalid.', 401);
  if (method === 'POST' && path === '/rerank') return answerVoyage(objectOf(body), refuseVoyage);
  if (method !== 'POST' || path !== '/embeddings') refuseVoyage('Not Found', 404);
  const asked = objectOf(body);
  checkKeys(asked, voyageFields, (unknown) =>
    refuseVoyage(`Argument '${unknown}' is not supported by our API. Please remove it.`),
  );
  const model = textOf(asked.model);
  if (!isEmbedder(model)) refuseVoyage(`Model ${model} is not supported. Supported models are ['voyage-4'].`);
  const texts = textsOf(asked.input);
  const embedder = embedderOf(model);
  const dimensions = numberOf(asked.output_dimension) ?? embedder.whole;
  if (!embedder.gives(dimensions)) {
    refuseVoyage(
      `Value ${dimensions} for argument 'output_dimension' is not supported by the model '${model}'.`,
    );
  }
  const counted = countTexts(texts);
  if (texts.length > maxVoyageTexts) refuseVoyage('The batch size limit is 1000.');
  if (counted > maxTokens) refuseVoyage(`The max allowed tokens per submitted batch is ${maxTokens}.`);
  const role = roleOf(asked.input_type);
  return jsonAnswer({
    object: 'list',
    data: listVectors(texts, embedder, { role, dimensions }, asked.encoding_format),
    model,
    usage: { total_tokens: counted },
  });
};

function roleOf(type: unknown): Role {
  if (type === undefined || type === null) return 'alike';
  if (type === 'query' || type === 'document') return type;
  return refuseVoyage(`Value ${String(type)} provided for argument 'input_type' is not valid.`);
}
