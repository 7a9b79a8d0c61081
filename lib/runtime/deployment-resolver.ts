/** Where Bedrock is called and how far requests may go, from the environment. */
import { geographyFormat, isGeography } from '../core/catalog/geography.ts';
import type { Model } from '../core/catalog/model.ts';
import { resolveDeployments } from '../stores/catalog/routes.ts';
import { partitionOf } from '../transport/aws/aws-partitions.ts';
import type { Environment } from './environment.ts';

type Variables = Pick<Environment, 'AWS_REGION' | 'GATEWAY_BEDROCK_REGION' | 'GATEWAY_BEDROCK_GEOGRAPHY'>;

/** Throws an Error that names the variable at fault. */
export function deploymentResolver(environment: Variables): (model: Model) => Model {
  const { AWS_REGION, GATEWAY_BEDROCK_REGION: region = AWS_REGION } = environment;
  const geography = environment.GATEWAY_BEDROCK_GEOGRAPHY ?? 'any';
  if (!isGeography(geography))
    throw new Error(`The environment variable GATEWAY_BEDROCK_GEOGRAPHY must be ${geographyFormat}.`);
  const { name } = partitionOf(region);
  const isPartner = (other: string) => partitionOf(other).name === name;
  return (model) => resolveDeployments(model, { region, geography, isPartner });
}
