/** How far requests to Bedrock may go, as the operator sets it. */
import { areaOf, isPlaceName } from './regions.ts';

/**
 * `any`: in the first way that there is. `global`: in the last one, which is the cheapest. `region`, `geography`: only in ways that
 * stay in the calling region, or in the area that it is in.
 */
const geographies = ['any', 'global', 'region', 'geography'] as const;

export const geographyForm = `one of ${geographies.join(', ')}, or names of regions and areas with commas between them`;

/** Whether it is one of those, or the regions and areas that all of a request stays in, separated by commas. */
export const isGeography = (text: string): boolean =>
  geographies.some((name) => name === text) || text.split(',').every(isPlaceName);

/** The regions and areas that may process a request; undefined: all. */
export function allowedRegions(region: string, geography: string): readonly string[] | undefined {
  if (geography === 'any' || geography === 'global') return undefined;
  if (geography === 'region') return [region];
  return geography === 'geography' ? [areaOf(region)] : geography.split(',');
}
