/**
 * Regions of AWS and the region groups that they are in. A region group is where a law or a contract keeps data: the regions of Zurich and London are
 * not in `eu`, although their names begin so. Source: docs.aws.amazon.com global-infrastructure/latest/regions, aws-regions.
 */

const countries = {
  au: ['ap-southeast-2', 'ap-southeast-4'],
  ca: ['ca-central-1', 'ca-west-1'],
  ch: ['eu-central-2'],
  eu: ['eu-central-1', 'eu-north-1', 'eu-south-1', 'eu-south-2', 'eu-west-1', 'eu-west-3'],
  jp: ['ap-northeast-1', 'ap-northeast-3'],
  uk: ['eu-west-2'],
  us: ['us-east-1', 'us-east-2', 'us-west-1', 'us-west-2'],
  'us-gov': ['us-gov-east-1', 'us-gov-west-1'],
};

const others = ['ap-east-1', 'ap-east-2', 'ap-northeast-2', 'ap-south-1', 'ap-south-2', 'ap-southeast-1'];
const newer = ['ap-southeast-3', 'ap-southeast-5', 'ap-southeast-6', 'ap-southeast-7'];

/** The smallest region groups first. */
const regionGroups = new Map<string, readonly string[]>([
  ...Object.entries(countries),
  ['apac', ['au', 'jp', ...countries.au, ...countries.jp, ...others, ...newer]],
]);

/** The region group of everything that is known to be somewhere. */
const anywhere = 'global';

/** Whether all that is in one region or region group is also in the other. */
export const isWithin = (region: string, wanted: string): boolean =>
  region === wanted || wanted === anywhere || regionGroups.get(wanted)?.includes(region) === true;

/** Whether each of the regions is within one of those that are wanted. What is not known to stay somewhere does not. */
export const areWithin = (regions: readonly string[] = [], wanted: readonly string[]): boolean =>
  regions.length > 0 && regions.every((region) => wanted.some((one) => isWithin(region, one)));

/** The smallest region group that a region is in; the region itself if it is in none. */
export const regionGroupOf = (region: string): string =>
  [...regionGroups].find(([, regions]) => regions.includes(region))?.[0] ?? region;

/** The regions of AWS in a region group; the name itself if it is no region group. */
export const regionsIn = (group: string): readonly string[] =>
  regionGroups.get(group)?.filter((region) => !regionGroups.has(region)) ?? [group];

export const regionPattern = /^[a-z]{2,4}(-[a-z]+)+-\d$/;

/** Whether it is a region group, or may be a region of AWS. */
export const isRegionName = (name: string): boolean => regionGroups.has(name) || regionPattern.test(name);
