/**
 * Reranking in the sandbox: the likeness of the words of query and document, from 0 to 1, always the same for the same texts. Every
 * provider writes it in its own form. Sources: docs.cohere.com, v2 Rerank; docs.voyageai.com and api.jina.ai, Rerank; docs.vllm.ai,
 * Rerank API; AWS, Bedrock user guide, "Cohere Rerank"; cloud.google.com, rankingConfigs.rank; openrouter.ai, "Submit a rerank request".
 */
import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../lib/core/generation/request.ts';
import { embed } from './embeddings/vector.ts';
import { jsonAnswer, type SandboxResponse } from './exchange.ts';
import { checkKeys, isObject, listOf, numberOf, textOf, wordSet } from './json.ts';
import { countTokens } from './script.ts';

type Refuse = (message: string, status?: number) => never;

interface Scored {
  readonly index: number;
  readonly score: number;
}

const dimensions = 64;

/** The best first; `top`: how many. */
function rank(query: string, documents: readonly string[], top: unknown): readonly Scored[] {
  const asked = embed(query, 'alike', dimensions);
  const scored = documents.map((document, index) => {
    const likeness = embed(document, 'alike', dimensions).reduce(
      (sum, number, at) => sum + number * (asked[at] ?? 0),
      0,
    );
    return { index, score: Math.round(1e6 * Math.max(0, likeness)) / 1e6 };
  });
  return scored.toSorted((one, other) => other.score - one.score).slice(0, numberOf(top) ?? documents.length);
}

/** The texts of documents, each of which is a text or an object with one. */
function documentsIn(documents: unknown, refuse: Refuse): readonly string[] {
  const texts = listOf(documents).map((one) => (isObject(one) ? textOf(one.text) : textOf(one)));
  if (texts.length === 0) refuse('documents must not be empty');
  return texts;
}

const tokensOf = (query: string, documents: readonly string[]): number =>
  documents.reduce((sum, document) => sum + countTokens(query) + countTokens(document), 0);

/** A query with a hundred documents, or chunks of about 500 tokens. */
const unitsOf = (documents: readonly string[]): number =>
  Math.ceil(
    documents.reduce((sum, document) => sum + Math.max(1, Math.ceil(countTokens(document) / 500)), 0) / 100,
  );

const cohereFields = wordSet('model query documents top_n max_tokens_per_doc priority');

/** The models of its fifth version are billed by tokens. */
export function answerCohere(body: JsonObject, refuse: Refuse): SandboxResponse {
  checkKeys(body, cohereFields, (name) => refuse(`invalid request: unknown field "${name}"`));
  const query = textOf(body.query);
  const documents = documentsIn(body.documents, refuse);
  const input_tokens = tokensOf(query, documents);
  const byTokens = textOf(body.model).includes('v5');
  return jsonAnswer({
    id: randomUUID(),
    results: relevance(rank(query, documents, body.top_n)),
    meta: {
      api_version: { version: '2' },
      billed_units: byTokens ? { input_tokens } : { search_units: unitsOf(documents) },
      ...(byTokens && { tokens: { input_tokens } }),
    },
  });
}

const relevance = (scored: readonly Scored[]): readonly object[] =>
  scored.map(({ index, score }) => ({ index, relevance_score: score }));

const jinaFields = wordSet('model query documents top_n return_documents truncation');

export function answerJina(body: JsonObject, refuse: Refuse): SandboxResponse {
  checkKeys(body, jinaFields, (name) => refuse(`[${name}] Extra inputs are not permitted`));
  const query = textOf(body.query);
  const documents = documentsIn(body.documents, refuse);
  const total_tokens = tokensOf(query, documents);
  const { model } = body;
  const results = withDocuments(body, documents, (text) => ({ text }));
  return jsonAnswer({ model, object: 'list', usage: { total_tokens }, results });
}

/** With the documents unless told otherwise. */
const withDocuments = (
  { query, top_n, return_documents: isWith = true }: JsonObject,
  documents: readonly string[],
  write: (text: string) => unknown,
): readonly object[] =>
  rank(textOf(query), documents, top_n).map(({ index, score }) => ({
    index,
    relevance_score: score,
    ...(isWith === true && { document: write(documents[index] ?? '') }),
  }));

const voyageFields = wordSet('model query documents top_k return_documents truncation');

export function answerVoyage(body: JsonObject, refuse: Refuse): SandboxResponse {
  checkKeys(body, voyageFields, (name) =>
    refuse(`Argument '${name}' is not supported by our API. Please remove it.`),
  );
  const query = textOf(body.query);
  const documents = documentsIn(body.documents, refuse);
  if (body.truncation === false && documents.some((document) => countTokens(document) > 32_000)) {
    refuse('The max allowed tokens per query and document is 32000.');
  }
  const { model, top_k: top_n, return_documents = false } = body;
  return jsonAnswer({
    object: 'list',
    data: withDocuments({ query, top_n, return_documents }, documents, (text) => text),
    model,
    usage: { total_tokens: tokensOf(query, documents) },
  });
}

/** A router states what it takes; a server sends all documents back. */
export function answerHost(body: JsonObject, provider: string, refuse: Refuse): SandboxResponse {
  const query = textOf(body.query);
  const documents = documentsIn(body.documents, refuse);
  const total_tokens = tokensOf(query, documents);
  const states = provider === 'openrouter' && { search_units: unitsOf(documents), cost: 0.002 };
  const results = withDocuments({ ...body, return_documents: true }, documents, (text) => ({ text }));
  return jsonAnswer({
    id: `rerank-${randomUUID()}`,
    model: body.model,
    usage: { total_tokens, ...states },
    results,
  });
}

export const isReranker = (model: string): boolean => /rerank/.test(model);

/** By InvokeModel: without any count of units. */
export function answerBedrock(model: string, body: JsonObject, refuse: Refuse): SandboxResponse {
  const isCohere = model.startsWith('cohere.');
  const known = wordSet(`query documents top_n${isCohere ? ' api_version max_tokens_per_doc' : ''}`);
  const malformed = (problem: string) =>
    refuse(`Malformed input request: #: ${problem}, please reformat your input and try again.`);
  checkKeys(body, known, (name) => malformed(`extraneous key [${name}] is not permitted`));
  if (isCohere && body.api_version !== 2) malformed('api_version: 1 is not greater or equal to 2');
  const documents = documentsIn(body.documents, refuse);
  return jsonAnswer({ results: relevance(rank(textOf(body.query), documents, body.top_n)) });
}

const recordFields = wordSet('model query records topN ignoreRecordDetailsInResponse userLabels');
const maxRecords = 200;

export function answerVertex(body: JsonObject, refuse: Refuse): SandboxResponse {
  checkKeys(body, recordFields, (name) => refuse(`Invalid JSON payload received. Unknown name "${name}"`));
  const records = listOf(body.records).filter(isObject);
  if (records.length === 0 || records.length > maxRecords) {
    refuse(`The number of records must be between 1 and ${maxRecords}.`);
  }
  const scored = rank(
    textOf(body.query),
    records.map(({ content }) => textOf(content)),
    body.topN,
  );
  const details = (index: number) => (body.ignoreRecordDetailsInResponse === true ? {} : records[index]);
  return jsonAnswer({
    records: scored.map(({ index, score }) => ({ ...details(index), id: records[index]?.id, score })),
  });
}
