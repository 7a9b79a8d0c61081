/** The embedding models on Bedrock of the sandbox, and those that rerank: each has a body of its own. */
import type { JsonObject } from '../../lib/core/generation/request.ts';
import { embedTexts } from '../cohere/embeddings.ts';
import { countTexts, embedderOf, encodeText, isEmbedder, tooLong } from '../embeddings/models.ts';
import type { Role } from '../embeddings/vector.ts';
import { jsonAnswer, type SandboxRequest, type SandboxResponse } from '../exchange.ts';
import { checkKeys, numberOf, objectOf, textOf, textsOf } from '../json.ts';
import { answerBedrock, isReranker } from '../rerank.ts';
import { refuse } from './refuse.ts';

/** Undefined for a path that is another one. */
export function answerInvoke({ method, path, body }: SandboxRequest): SandboxResponse | undefined {
  const [, name = ''] = /^\/model\/([^/]+)\/invoke$/.exec(path) ?? [];
  if (method !== 'POST' || name === '') return undefined;
  const model = decodeURIComponent(name);
  if (isReranker(model)) return answerBedrock(model, objectOf(body), refuseMalformed);
  if (!isEmbedder(model)) refuse('The provided model identifier is invalid.');
  const asked = objectOf(body);
  if (/^(?:\w+\.)?cohere\./.test(model)) {
    return counted(textsOf(asked.texts), embedTexts(model, asked, refuseMalformed));
  }
  return model.startsWith('amazon.nova') ? answerNova(model, asked) : answerTitan(model, asked);
}

function refuseMalformed(message: string): never {
  refuse(message);
}

const counted = (texts: readonly string[], body: object): SandboxResponse =>
  jsonAnswer(body, 200, { 'x-amzn-bedrock-input-token-count': `${countTexts(texts)}` });

const checkFields = (body: JsonObject, ...known: readonly string[]) =>
  checkKeys(body, new Set(known), (name) =>
    refuse(
      `Malformed input request: #: extraneous key [${name}] is not permitted, please reformat your input and try again.`,
    ),
  );

function answerTitan(model: string, body: JsonObject): SandboxResponse {
  checkFields(body, 'inputText', 'dimensions', 'normalize', 'embeddingTypes');
  const text = textOf(body.inputText);
  const embedding = encode(model, text, 'alike', body.dimensions);
  return counted([text], {
    embedding,
    embeddingsByType: { float: embedding },
    inputTextTokenCount: countTexts([text]),
  });
}

const purposes: Readonly<Record<string, Role>> = { GENERIC_RETRIEVAL: 'query', GENERIC_INDEX: 'document' };

function answerNova(model: string, body: JsonObject): SandboxResponse {
  checkFields(body, 'schemaVersion', 'taskType', 'singleEmbeddingParams');
  const params = objectOf(body.singleEmbeddingParams);
  checkFields(params, 'embeddingPurpose', 'embeddingDimension', 'text');
  const role = purposes[textOf(params.embeddingPurpose)] ?? refuse('Invalid embeddingPurpose.');
  const { value, truncationMode } = objectOf(params.text);
  if (body.taskType !== 'SINGLE_EMBEDDING' || truncationMode !== 'NONE') refuse('Invalid task.');
  const embedding = encode(model, textOf(value), role, params.embeddingDimension);
  return counted([textOf(value)], { embeddings: [{ embedding, embeddingType: 'TEXT' }] });
}

function encode(model: string, text: string, role: Role, asked: unknown): readonly number[] {
  const embedder = embedderOf(model);
  if (text === '') refuse('Malformed input request: expected minLength: 1, actual: 0');
  if (tooLong([text], embedder) !== undefined) {
    refuse(`400 Bad Request: Too many input tokens. Max input tokens: ${embedder.limit}`);
  }
  const dimensions = numberOf(asked) ?? embedder.whole;
  if (!embedder.gives(dimensions)) {
    refuse(`Malformed input request: #/dimensions: ${dimensions} is not a valid enum value`);
  }
  return Array.from(encodeText(text, embedder, { role, dimensions }));
}
