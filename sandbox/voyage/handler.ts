/** The Voyage protocol of the sandbox. */
import { countTexts, embedderOf, isEmbedder, listVectors } from '../embeddings/models.ts';
import type { Role } from '../embeddings/vector.ts';
import { type Handler, jsonAnswer, Refusal } from '../exchange.ts';
import { numberOf, objectOf, textOf, textsOf, unknownKey } from '../json.ts';

const fields = new Set([
  'model',
  'input',
  'input_type',
  'truncation',
  'output_dimension',
  'output_dtype',
  'encoding_format',
]);
const maxTexts = 1000;
const maxTokens = 120_000;

const refuse = (detail: string, status = 400): never => {
  throw new Refusal(status, { detail });
};

export const voyageHandler: Handler = ({ headers, method, path, body }) => {
  if (!/^Bearer \S/.test(textOf(headers.authorization))) refuse('Provided API key is invalid.', 401);
  if (method !== 'POST' || path !== '/embeddings') refuse('Not Found', 404);
  const asked = objectOf(body);
  const unknown = unknownKey(asked, fields);
  if (unknown) refuse(`Argument '${unknown}' is not supported by our API. Please remove it.`);
  const model = textOf(asked.model);
  if (!isEmbedder(model)) refuse(`Model ${model} is not supported. Supported models are ['voyage-4'].`);
  const texts = textsOf(asked.input);
  const embedder = embedderOf(model);
  const dimensions = numberOf(asked.output_dimension) ?? embedder.whole;
  if (!embedder.gives(dimensions)) {
    refuse(`Value ${dimensions} for argument 'output_dimension' is not supported by the model '${model}'.`);
  }
  const counted = countTexts(texts);
  if (texts.length > maxTexts) refuse('The batch size limit is 1000.');
  if (counted > maxTokens) refuse(`The max allowed tokens per submitted batch is ${maxTokens}.`);
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
  return refuse(`Value ${String(type)} provided for argument 'input_type' is not valid.`);
}
