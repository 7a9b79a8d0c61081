/** Service Quotas. Source: docs.aws.amazon.com Service Quotas, API_GetServiceQuota. */
import { AwsRefusal, type FakeService } from '../service.ts';

/** Values by code, such as `lambda/L-B99A9384`. */
export const serviceQuotas = (quotas: Readonly<Record<string, number>> = {}): FakeService => ({
  name: 'servicequotas',
  protocol: 'json',
  codes: { throttled: 'TooManyRequestsException' },
  actions: {
    GetServiceQuota({ ServiceCode, QuotaCode }) {
      const Value = quotas[`${ServiceCode}/${QuotaCode}`];
      if (Value === undefined) throw new AwsRefusal('NoSuchResourceException', '');
      return { Quota: { ServiceCode, QuotaCode, Value, Adjustable: true } };
    },
  },
});
