/** The embeddings of Cohere in the sandbox, as its own API and its models on Bedrock know them. */
import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { countTexts, embedderOf, encodeText, isEmbedder, tooLong } from '../embeddings/models.ts';
import type { Role } from '../embeddings/vector.ts';
import { jsonAnswer, type SandboxResponse } from '../exchange.ts';
import { listOf, numberOf, textOf, textsOf } from '../json.ts';
import { refuse as refuseAsCohere } from './refuse.ts';

const roles: Readonly<Record<string, Role>> = { search_query: 'query', search_document: 'document' };
const maxTexts = 96;

type Refuse = (message: string, status?: number) => never;

export function answerEmbeddings(body: JsonObject): SandboxResponse {
  const model = textOf(body.model);
  if (!isEmbedder(model)) {
    refuseAsCohere(
      `model '${model}' not found, make sure the correct model ID was used and that you have access to the model.`,
      404,
    );
  }
  const input_tokens = countTexts(textsOf(body.texts));
  const meta = { api_version: { version: '2' }, billed_units: { input_tokens } };
  return jsonAnswer({ ...embedTexts(model, body, refuseAsCohere), meta });
}

/** The part of the answer that is the same wherever the model is. */
export function embedTexts(model: string, body: JsonObject, refuse: Refuse): object {
  const { input_type: type, output_dimension, truncate = 'END', embedding_types } = body;
  const texts = textsOf(body.texts);
  const role = roles[textOf(type)] ?? refuse("invalid request: valid 'input_type' must be provided.");
  if (texts.length === 0 || texts.length > maxTexts) {
    refuse(`invalid request: total number of texts must be at most ${maxTexts} and at least 1.`);
  }
  const embedder = embedderOf(model);
  const dimensions = numberOf(output_dimension) ?? embedder.whole;
  if (!embedder.gives(dimensions)) refuse(`invalid request: output_dimension ${dimensions} is not valid.`);
  if (output_dimension !== undefined && embedder.isFixed) {
    refuse('invalid request: output_dimension is not supported for this model.');
  }
  if (truncate === 'NONE' && tooLong(texts, embedder) !== undefined) {
    refuse(`too many tokens: total number of tokens cannot exceed ${embedder.limit}.`);
  }
  const float = texts.map((text) => Array.from(encodeText(text, embedder, { role, dimensions })));
  const typed = listOf(embedding_types).length > 0;
  return {
    id: randomUUID(),
    texts,
    embeddings: typed ? { float } : float,
    response_type: typed ? 'embeddings_by_type' : 'embeddings_floats',
  };
}
