/** Converts a valid rerank body to the gateway's internal request. */
import { invalid } from '../../core/errors/invalid.ts';
import type { JsonObject } from '../../core/generation/request.ts';
import type { RerankRequest } from '../../core/generation/rerank.ts';
import type { ProviderPreferences } from '../../routing/provider-preferences.ts';
import type { DebugCategory } from '../answer-facts.ts';
import { given, includesCost } from '../read-request.ts';
import { readPreferences } from '../routing/read.ts';
import type { RerankBody } from './schema.ts';

/** The parts of a rerank request. */
export interface RerankInput {
  readonly model: string;
  readonly fallbacks: readonly string[];
  readonly preferences?: ProviderPreferences;
  readonly request: RerankRequest;
  readonly guardrails?: readonly string[];
  readonly dryRun: boolean;
  /** As the caller sent them, to put them back; absent: without. */
  readonly returned?: RerankBody['documents'];
  readonly includeCost: boolean;
  readonly debug: readonly DebugCategory[];
}

const others = ['max_tokens_per_doc', 'max_chunks_per_doc', 'priority', 'instruction', 'truncation'] as const;

/** @throws GatewayError `invalid_request` for both names of a field, and for a document without any field that counts. */
export function readRerank(body: RerankBody): RerankInput {
  const { model, query, documents, top_n, top_k, rank_fields: fields, extra } = body;
  if (top_n != null && top_k != null) throw invalid('top_k', "cannot be used together with 'top_n'");
  const wanted = top_n ?? top_k;
  return {
    model,
    fallbacks: extra?.fallbacks ?? [],
    ...(body.provider && { preferences: readPreferences(body.provider) }),
    request: {
      query,
      documents: documents.map((document, position) => readDocument(document, fields, position)),
      parameters: { ...(wanted != null && { top_n: wanted }), ...given(body, others) },
      ...(top_k != null && { parameterPaths: { top_n: 'top_k' } }),
    },
    ...given(extra ?? {}, ['guardrails']),
    dryRun: extra?.dry_run ?? false,
    ...(body.return_documents && { returned: documents }),
    includeCost: includesCost(body),
    debug: extra?.debug ?? [],
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
