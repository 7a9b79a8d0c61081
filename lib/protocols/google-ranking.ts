/** The ranking of Vertex AI Search. Source: cloud.google.com, projects.locations.rankingConfigs.rank. */

import { asArray, asObject, type Wire } from '../core/formats/json-object.ts';
import type { RerankProtocol } from '../core/generation/rerank.ts';
import { withInternalNames } from './failure.ts';
import { readFailure } from './google-generate-content/failure.ts';
import { asText } from './json.ts';
import { rankedOf } from './ranked.ts';

type Answer = Wire<{ records: object[] }>;
type Scored = Wire<{ id: string; score: number }>;

/** It charges for each hundred records, whatever their length. Source: cloud.google.com/generative-ai-app-builder/pricing. */
const recordsOfUnit = 100;

export const googleRanking: RerankProtocol = {
  maxDocuments: 200,
  path: () => '/rankingConfigs/default_ranking_config:rank',
  encode: ({ query, documents, parameters }, { deployment }) => ({
    model: deployment.upstreamId,
    query,
    records: documents.map((content, index) => ({ id: `${index}`, content })),
    ignoreRecordDetailsInResponse: true,
    ...(parameters.top_n !== undefined && { topN: parameters.top_n }),
  }),
  readUse: (_body, _headers, { documents }) => ({ searchUnits: Math.ceil(documents.length / recordsOfUnit) }),
  decode: (body) =>
    asArray(asObject<Answer>(body).records).map((record) => {
      const { id, score } = asObject<Scored>(record);
      return rankedOf(/^\d{1,6}$/.test(asText(id)) ? Number(id) : undefined, score);
    }),
  readFailure: (failure) => withInternalNames(readFailure(failure), { topN: 'top_n', records: 'documents' }),
};
