/** Converts a valid rerank body to the gateway's internal request. */
import { invalid } from '../../core/errors/invalid.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import type { RerankRequest } from '../../core/generation/rerank.ts';
import { type AskedOnce, readAsked } from '../one-call/read.ts';
import { given } from '../read-request.ts';
import type { RerankBody } from './schema.ts';

/** The parts of a rerank request. */
export interface RerankInput extends AskedOnce {
  readonly request: RerankRequest;
  /** As the caller sent them, to put them back; absent: without. */
  readonly returned?: RerankBody['documents'];
}

const others = ['max_tokens_per_doc', 'max_chunks_per_doc', 'priority', 'instruction', 'truncation'] as const;

/** @throws GatewayError `invalid_request` for both names of a field, and for a document without any field that counts. */
export function readRerank(body: RerankBody): RerankInput {
  const { model, query, documents, top_n, top_k, rank_fields: fields } = body;
  if (top_n != null && top_k != null) throw invalid('top_k', "cannot be used together with 'top_n'");
  const wanted = top_n ?? top_k;
  return {
    ...readAsked(model, body),
    request: {
      query,
      documents: documents.map((document, position) => readDocument(document, fields, position)),
      parameters: { ...(wanted != null && { top_n: wanted }), ...given(body, others) },
      ...(top_k != null && { parameterPaths: { top_n: 'top_k' } }),
    },
    ...(body.return_documents && { returned: documents }),
  };
}

function readDocument(
  document: string | JsonObject,
  fields: readonly string[] | null | undefined,
  position: number,
): string {
  if (typeof document === 'string') return document;
  const names = (fields ?? Object.keys(document)).filter((name) => Object.hasOwn(document, name));
  if (names.length === 0) throw invalid(`documents.${position}`, 'has no field that could be ranked');
  const [first = ''] = names;
  const only = document[first];
  if (names.length === 1 && first === 'text' && typeof only === 'string') return only;
  return names.map((name) => `${name}: ${asYaml(document[name])}`).join('\n');
}

/** A text of one line as it is; anything else as JSON, which is YAML, too. Cohere advises YAML for its models. */
const asYaml = (value: unknown): string =>
  typeof value === 'string' && !value.includes('\n') ? value : JSON.stringify(value);
