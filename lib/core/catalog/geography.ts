/** How far requests to Bedrock may go, as the operator sets it. */
import { isRegionName, regionGroupOf } from './regions.ts';

/**
 * `any`: by the first route that there is. `global`: in the last one, which is the cheapest. `region`, `geography`: only by routes that
 * stay in the calling region, or in the region group that it is in.
 */
const geographies = ['any', 'global', 'region', 'geography'] as const;

export const geographyFormat = `one of ${geographies.join(', ')}, or names of regions and region groups with commas between them`;

/** Whether it is one of those, or the regions and region groups that all of a request stays in, separated by commas. */
export const isGeography = (text: string): boolean =>
  geographies.some((name) => name === text) || text.split(',').every(isRegionName);

/** The regions and region groups that may process a request; undefined: all. */
export function allowedRegions(region: string, geography: string): readonly string[] | undefined {
  if (geography === 'any' || geography === 'global') return undefined;
  if (geography === 'region') return [region];
  return geography === 'geography' ? [regionGroupOf(region)] : geography.split(',');
}
