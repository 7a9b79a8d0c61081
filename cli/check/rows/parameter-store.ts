/**
 * Whether the parameter store answers fast enough while Lambda grows: each new environment reads its providers' keys. Sources:
 * docs.aws.amazon.com Systems Manager, parameter-store-throughput, and its endpoints and quotas: 40 reads a second for the account, and 100
 * by path with higher throughput.
 */

import { readTraffic } from '../../cost/options.ts';
import { quotas } from '../../cost/quotas.ts';
import { type AccountCheck, type CheckContext, ok, warning } from '../check.ts';

const settingId = '/ssm/parameter-store/high-throughput-enabled';

/** Reads a second. */
const throughput = { standard: 40, higher: 100 };

export const parameterStore: AccountCheck = {
  id: 'parameter-store',
  title: 'Parameter store',
  of: 'account',
  about: 'The parameter store answers as many reads a second as new environments of functions make.',
  needs: ['ssm:GetServiceSetting'],
  async run({ aws, planned }) {
    const { ServiceSetting } = await aws.json('ssm')('AmazonSSM.GetServiceSetting', { SettingId: settingId });
    const { SettingValue } = ServiceSetting as { readonly SettingValue?: string };
    const isHigher = SettingValue === 'true';
    const reads = isHigher ? throughput.higher : throughput.standard;
    const text = `${isHigher ? 'higher' : 'standard'} throughput, ${reads} reads a second`;
    const needed = planned ? readsOf(planned) : 0;
    if (needed <= reads) return [ok(`${text}.`)];
    return [
      warning(
        `${text}; a burst of the planned traffic makes ${needed}.`,
        isHigher
          ? 'Let traffic grow over minutes, or use provisioned concurrency.'
          : `Enable higher throughput (it has a price): aws ssm update-service-setting --setting-id ${settingId} --setting-value true.`,
      ),
    ];
  },
};

function readsOf({ rps, seconds }: NonNullable<CheckContext['planned']>): number {
  const quota = quotas.find(({ name }) => name === 'Parameter store, while Lambda grows');
  if (!quota) throw new Error('The cost model has no quota of the parameter store while Lambda grows.');
  return Math.ceil(quota.needed({ ...readTraffic({}, new Set()), rps, duration: seconds }));
}
