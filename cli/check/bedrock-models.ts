/** The models on Bedrock that the catalog ships with, by Bedrock's own ids. */

import { seedRows } from '../../infra/catalog/seed.ts';
import { readModelRow } from '../../lib/stores/catalog/model-row.ts';

/** Inference profiles are named as the model behind a geography. Source: docs.aws.amazon.com Bedrock, inference-profiles-support. */
const geography = /^(?:us|us-gov|eu|apac|global|jp|au|ca)\./;

export function bedrockModels(): readonly string[] {
  const ids = seedRows
    .map((row) => readModelRow(row))
    .filter(({ status }) => status === 'active')
    .flatMap(({ deployments }) => deployments)
    .filter(({ provider }) => provider === 'bedrock')
    .map(({ upstreamId }) => upstreamId.replace(geography, ''));
  return [...new Set(ids)].sort();
}
