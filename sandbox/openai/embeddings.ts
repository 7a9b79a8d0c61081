/** The OpenAI embeddings protocol of the sandbox, and its variants at compatible hosts. */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import {
  countTexts,
  embedderOf,
  isEmbedder,
  listVectors,
  type SandboxEmbedder,
  tooLong,
} from '../embeddings/models.ts';
import { jsonAnswer, Refusal, type SandboxRequest, type SandboxResponse } from '../exchange.ts';
import { checkKeys, numberOf, objectOf, textOf, textsOf } from '../json.ts';
import type { Behaviour } from './behaviour.ts';
import { refuse, refuseValue } from './refuse.ts';

const ownFields = new Set(['model', 'input', 'encoding_format', 'dimensions', 'user']);
const mistralFields = new Set(['model', 'input', 'encoding_format', 'output_dimension', 'output_dtype']);
const maxTexts = 2048;

export function answerEmbeddings({ body, provider }: SandboxRequest, { strict }: Behaviour): SandboxResponse {
  const asked = objectOf(body);
  if (strict) checkOwn(asked);
  if (provider === 'mistral') checkMistral(asked);
  const model = textOf(asked.model);
  const texts = textsOf(asked.input);
  const embedder = embedderOf(model);
  checkTexts(texts, embedder);
  const dimensions = numberOf(asked.dimensions) ?? numberOf(asked.output_dimension) ?? embedder.whole;
  if (!embedder.gives(dimensions)) {
    const message = `Invalid value for 'dimensions' = ${dimensions}. Must be less than or equal to ${embedder.whole}.`;
    refuse(message, 'dimensions');
  }
  return jsonAnswer({
    object: 'list',
    data: listVectors(texts, embedder, { role: 'alike', dimensions }, asked.encoding_format),
    model,
    usage: { prompt_tokens: countTexts(texts), total_tokens: countTexts(texts) },
  });
}

function checkOwn(body: JsonObject): void {
  const model = textOf(body.model);
  if (!isEmbedder(model)) {
    const message = `The model \`${model}\` does not exist or you do not have access to it.`;
    refuse(message, null, 'model_not_found', 404);
  }
  checkKeys(body, ownFields, (unknown) => refuse(`Unrecognized request argument supplied: ${unknown}`));
  const { encoding_format: format = 'float', dimensions } = body;
  if (format !== 'float' && format !== 'base64') refuseValue(format, 'encoding_format', ['float', 'base64']);
  if (dimensions !== undefined && embedderOf(model).isFixed) {
    refuse('This model does not support specifying dimensions.', 'dimensions');
  }
}

/** Mistral counts all texts of one call. */
const maxTokensOfMistral = 16_384;

function checkMistral(body: JsonObject): void {
  checkKeys(body, mistralFields, (name) => {
    const finding = { type: 'extra_forbidden', loc: ['body', name], msg: 'Extra inputs are not permitted' };
    throw new Refusal(422, { detail: [finding] });
  });
  if (countTexts(textsOf(body.input)) > maxTokensOfMistral) {
    refuse('Too many tokens overall, split into more batches.');
  }
}

function checkTexts(texts: readonly string[], embedder: SandboxEmbedder): void {
  if (texts.length === 0 || texts.includes('')) refuse("'$.input' is invalid.", 'input');
  if (texts.length > maxTexts) refuse(`'input' has more than ${maxTexts} elements.`, 'input');
  const index = tooLong(texts, embedder);
  if (index === undefined) return;
  refuse(`Invalid 'input[${index}]': maximum input length is ${embedder.limit} tokens.`, 'input');
}
