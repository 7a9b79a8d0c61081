/** Checks of an account and its region, which can be made before a deployment. */

import { listAt, textAt } from '../../../infra/aws/read-xml.ts';
import { readTraffic } from '../../cost/options.ts';
import { quotas } from '../../cost/quotas.ts';
import {
  type AccountCheck,
  type CheckContext,
  type Finding,
  failed,
  isDenied,
  isMissing,
  ok,
  warning,
} from '../check.ts';

/** Regions at the time of the announcement. Source: docs.aws.amazon.com, "AWS Regions". */
const streaming = new Set(
  `us-east-1 us-east-2 us-west-1 us-west-2 us-gov-east-1 us-gov-west-1 af-south-1 ap-east-1 ap-east-2 ap-northeast-1
  ap-northeast-2 ap-northeast-3 ap-south-1 ap-south-2 ap-southeast-1 ap-southeast-2 ap-southeast-3 ap-southeast-4 ap-southeast-5
  ap-southeast-6 ap-southeast-7 ca-central-1 ca-west-1 eu-central-1 eu-central-2 eu-north-1 eu-south-1 eu-south-2 eu-west-1 eu-west-2
  eu-west-3 il-central-1 me-central-1 me-south-1 mx-central-1 sa-east-1`.split(/\s+/),
);

/** API Gateway streams answers in the region. */
export const region: AccountCheck = {
  id: 'region',
  title: 'Region',
  needs: [],
  async run({ aws }) {
    if (streaming.has(aws.region)) return ok(`${aws.region} has response streaming of API Gateway.`);
    return warning(
      `it is not known whether API Gateway streams answers in ${aws.region}.`,
      'Look it up before you deploy: without it the deployment fails. compute=fargate does not need it.',
    );
  },
};

/** Source: aws-cdk-lib, `stack-synthesizers/default-synthesizer`, MIN_BOOTSTRAP_STACK_VERSION. */
const neededVersion = 6;

/** Of the default qualifier. */
const parameter = '/cdk-bootstrap/hnb659fds/version';

/** The CDK's resources for deployments are in the region, in a version that this project can use. */
export const bootstrap: AccountCheck = {
  id: 'bootstrap',
  title: 'CDK bootstrap',
  needs: ['ssm:GetParameter'],
  async run(context) {
    const { aws, identity } = context;
    const command = `npx cdk bootstrap aws://${identity.account}/${aws.region}`;
    const version = await versionOf(context);
    if (version === undefined)
      return failed(`the CDK is not set up in ${aws.region}.`, `Run ${command} once.`);
    if (version < neededVersion)
      return failed(
        `the CDK is set up in version ${version}; ${neededVersion} is needed.`,
        `Run ${command} again.`,
      );
    return ok(`version ${version}.`);
  },
};

/** The parameter; a caller who may not read it may be allowed to see the stack. */
async function versionOf({ aws }: CheckContext): Promise<number | undefined> {
  try {
    const { Parameter } = await aws.json('ssm')('AmazonSSM.GetParameter', { Name: parameter });
    return Number((Parameter as { readonly Value?: string }).Value);
  } catch (error) {
    if (isMissing(error, 'ParameterNotFound')) return undefined;
    if (!isDenied(error)) throw error;
    return await versionOfStack(aws).catch(() => Promise.reject(error));
  }
}

async function versionOfStack(aws: CheckContext['aws']): Promise<number | undefined> {
  const answer = await aws.query('cloudformation', 'DescribeStacks', { StackName: 'CDKToolkit' });
  const outputs = listAt(listAt(answer, 'Stacks')[0], 'Outputs');
  const version = outputs.find((output) => textAt(output, 'OutputKey') === 'BootstrapVersion');
  return version === undefined ? undefined : Number(textAt(version, 'OutputValue'));
}

const quotaCode = 'L-B99A9384';

/** Of an account that is not new. */
const defaultLimit = 1_000;

/** From here on, more than planned traffic is throttled soon. */
const fullShare = 0.8;

interface Limits {
  readonly all: number;
  /** What functions without reserved concurrency share. */
  readonly shared: number;
}

/** The account can serve the planned number of requests at a time. A new account can serve few. */
export const concurrency: AccountCheck = {
  id: 'lambda-concurrency',
  title: 'Lambda concurrency',
  needs: ['lambda:GetAccountSettings', 'servicequotas:GetServiceQuota'],
  async run(context) {
    const { all, shared } = await limitsOf(context);
    return [context.planned ? compare(shared, context.planned) : describe(all, shared)];
  },
};

const request = (needed: number) =>
  `Request at least ${needed} in Service Quotas (Lambda, "Concurrent executions", ${quotaCode}), or deploy with compute=web or compute=fargate.`;

function compare(shared: number, { rps, seconds }: NonNullable<CheckContext['planned']>): Finding {
  const needed = Math.ceil(rps * seconds);
  const text = `the planned traffic needs ${needed} at a time, and ${shared} are possible`;
  if (needed > shared)
    return failed(`${text}: the rest is throttled.`, request(Math.ceil(needed / fullShare)));
  if (needed > shared * fullShare)
    return warning(`${text}: there is little left for peaks.`, request(Math.ceil(needed / fullShare)));
  return ok(`${text}.`);
}

function describe(all: number, shared: number): Finding {
  const text = `${shared} requests at a time, of ${all} in the account and region`;
  if (all >= defaultLimit) return ok(`${text}.`);
  return warning(
    `${text}. New accounts begin with so few; each answer that is being streamed takes one.`,
    `${request(defaultLimit)} With --planned-rps and --planned-seconds this check compares it with your traffic.`,
  );
}

/** Lambda's own answer; a caller who may not ask for it may be allowed to see the quota. */
async function limitsOf({ aws }: CheckContext): Promise<Limits> {
  try {
    const { AccountLimit } = await aws.get('lambda', '/2016-08-19/account-settings');
    const limit = AccountLimit as { ConcurrentExecutions: number; UnreservedConcurrentExecutions: number };
    return { all: limit.ConcurrentExecutions, shared: limit.UnreservedConcurrentExecutions };
  } catch (error) {
    if (!isDenied(error)) throw error;
    const input = { ServiceCode: 'lambda', QuotaCode: quotaCode };
    const { Quota } = await aws
      .json('servicequotas')('ServiceQuotasV20190624.GetServiceQuota', input)
      .catch(() => Promise.reject(error));
    const { Value } = Quota as { readonly Value: number };
    return { all: Value, shared: Value };
  }
}

const settingId = '/ssm/parameter-store/high-throughput-enabled';

/** Reads a second. */
const throughput = { standard: 40, higher: 100 };

/** The parameter store answers as many reads a second as new environments of functions make. */
export const parameterStore: AccountCheck = {
  id: 'parameter-store',
  title: 'Parameter store',
  needs: ['ssm:GetServiceSetting'],
  async run({ aws, planned }) {
    const { ServiceSetting } = await aws.json('ssm')('AmazonSSM.GetServiceSetting', { SettingId: settingId });
    const { SettingValue } = ServiceSetting as { readonly SettingValue?: string };
    const isHigher = SettingValue === 'true';
    const reads = isHigher ? throughput.higher : throughput.standard;
    const text = `${isHigher ? 'higher' : 'standard'} throughput, ${reads} reads a second`;
    const needed = planned ? readsOf(planned) : 0;
    if (needed <= reads) return ok(`${text}.`);
    return warning(
      `${text}; a burst of the planned traffic makes ${needed}.`,
      isHigher
        ? 'Let traffic grow over minutes, or use provisioned concurrency.'
        : `Enable higher throughput (it has a price): aws ssm update-service-setting --setting-id ${settingId} --setting-value true.`,
    );
  },
};

function readsOf({ rps, seconds }: NonNullable<CheckContext['planned']>): number {
  const quota = quotas.find(({ name }) => name === 'Parameter store, while Lambda grows');
  if (!quota) throw new Error('The cost model has no quota of the parameter store while Lambda grows.');
  return Math.ceil(quota.needed({ ...readTraffic({}, new Set()), rps, duration: seconds }));
}
