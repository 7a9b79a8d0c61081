/** The settings of a deployment whose generating operations run on Web Functions. */
import { operations } from '../../../lib/core/operations.ts';
import { isOnWeb } from '../../../server/web/web-operations.ts';
import { type SettingRow, type SettingText, wholeNumber } from '../values.ts';

export interface WebSettings {
  /** `webEnvironments`: how many environments each of the functions may have. Above that, requests are refused. */
  readonly environments: number;
  /** `webConcurrency`: how many requests an environment serves at a time. */
  readonly concurrency: number;
  /** `originSecret`: the number of the secret between the API and the functions. The next number exchanges it. */
  readonly originSecret: number;
}

/** Of a function; the most is what the quota of 2,000 vCPU allows, at two of them each. Source: Lambda quotas, "Web Functions". */
const maxWebEnvironments = 1_000;

/** Of an environment. Source: aws-cdk-lib, `WebFunctionProps.maxConcurrencyPerEnvironment`. */
const maxWebConcurrency = 128;

const environmentsRange = { min: 2, max: maxWebEnvironments };
const concurrencyRange = { min: 1, max: maxWebConcurrency };
const secretRange = { min: 1, max: 1_000_000 };

/** Characters of the name of a Web Function. Source: aws-cdk-lib, `WebFunctionProps.webFunctionName`. */
const maxFunctionName = 64;
/** The longest name of a region so far. */
const longestRegion = 'ap-northeast-1'.length;
const longestOperation = Math.max(...operations.filter(isOnWeb).map(({ name }) => name.length));
/** Characters of the name of a stack, which begins the names of its Web Functions. */
const maxWebStackName = maxFunctionName - longestOperation - longestRegion - 2;

const hosts = ['web'] as const;

export const webRows: readonly SettingRow[] = [
  {
    name: 'webEnvironments',
    meaning: `How many environments each Web Function may have, up to ${maxWebEnvironments.toLocaleString('en-US')}. Above that, requests are refused`,
    hosts,
  },
  {
    name: 'webConcurrency',
    meaning: `How many requests an environment serves at a time, up to ${maxWebConcurrency}`,
    hosts,
  },
  {
    name: 'originSecret',
    meaning:
      'The number of the secret between the API and the Web Functions. The next number exchanges the secret',
    hosts,
  },
];

/** Throws an Error that names the setting at fault. */
export function readWeb(text: SettingText, stackName: string): WebSettings {
  if (stackName.length > maxWebStackName)
    throw new Error(
      `The setting "stackName" must have at most ${maxWebStackName} characters with compute=web, not "${stackName}".`,
    );
  return {
    environments: wholeNumber(text, 'webEnvironments', 50, environmentsRange),
    concurrency: wholeNumber(text, 'webConcurrency', 64, concurrencyRange),
    originSecret: wholeNumber(text, 'originSecret', 1, secretRange),
  };
}
