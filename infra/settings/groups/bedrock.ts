/** Where Amazon Bedrock is called, how far requests may go, and who subscribes to its models. */
import { geographyFormat, isGeography } from '../../../lib/core/catalog/geography.ts';
import { regionPattern } from '../../../lib/core/catalog/regions.ts';
import { isTrue, matching, type SettingRow, type SettingText } from '../values.ts';

export interface BedrockSettings {
  readonly bedrock: {
    /** `bedrockRegion`: where it is called; the region of the stack if empty. */
    readonly region: string;
    /** `bedrockGeography`: how far requests may go, as `lib/core/catalog/geography.ts` has it. */
    readonly geography: string;
    /** `bedrockMarketplace`: whether the first call of a model may subscribe the account to it in the AWS Marketplace. */
    readonly marketplace: boolean;
  };
}

export const bedrockRows: readonly SettingRow[] = [
  { name: 'bedrockRegion', meaning: 'Where Amazon Bedrock is called; the region of the stack by default' },
  {
    name: 'bedrockGeography',
    meaning: `How far requests to Amazon Bedrock may go: ${geographyFormat}. \`any\` is the narrowest route that a model has, \`global\` the widest, which is the cheapest. A model without such a deployment is refused ([0020](../decisions/0020-catalog-facts.md))`,
  },
  {
    name: 'bedrockMarketplace',
    meaning: '`true`: the first call of a model may subscribe the account to it in the AWS Marketplace',
  },
];

/** Throws an Error that names the setting at fault. */
export function readBedrock(text: SettingText): BedrockSettings {
  const region = matching(text, 'bedrockRegion', regionPattern, 'a region of AWS');
  const geography = text('bedrockGeography', 'any');
  if (!isGeography(geography))
    throw new Error(`The setting "bedrockGeography" must be ${geographyFormat}, not "${geography}".`);
  // The template is made for any region, and the role may call models of the whole region group.
  if (geography === 'geography' && region === '')
    throw new Error(
      'The setting "bedrockGeography" needs "bedrockRegion" to be "geography". Or name the region groups, such as "eu".',
    );
  return { bedrock: { region, geography, marketplace: isTrue(text, 'bedrockMarketplace') } };
}
