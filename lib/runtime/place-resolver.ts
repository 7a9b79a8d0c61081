/** Where Bedrock is called and how far requests may go, from the environment. */
import { geographyForm, isGeography } from '../core/catalog/geography.ts';
import type { Model } from '../core/catalog/model.ts';
import { resolvePlaces } from '../stores/catalog/ways.ts';
import { partitionOf } from '../transport/aws/aws-partitions.ts';
import type { Environment } from './environment.ts';

type Variables = Pick<Environment, 'AWS_REGION' | 'GATEWAY_BEDROCK_REGION' | 'GATEWAY_BEDROCK_GEOGRAPHY'>;

/** Throws an Error that names the variable at fault. */
export function placeResolver(environment: Variables): (model: Model) => Model {
  const { AWS_REGION, GATEWAY_BEDROCK_REGION: region = AWS_REGION } = environment;
  const geography = environment.GATEWAY_BEDROCK_GEOGRAPHY ?? 'any';
  if (!isGeography(geography))
    throw new Error(`The environment variable GATEWAY_BEDROCK_GEOGRAPHY must be ${geographyForm}.`);
  const { name } = partitionOf(region);
  const isPartner = (other: string) => partitionOf(other).name === name;
  return (model) => resolvePlaces(model, { region, geography, isPartner });
}
