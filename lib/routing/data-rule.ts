/**
 * Which targets may get what a caller sends: what the request wants of them (`provider`), and the data policies of its key and tenant,
 * which it cannot loosen.
 */
import { dataOf, type OwnData } from '../core/catalog/provider-data.ts';
import { areWithin } from '../core/catalog/regions.ts';
import { inBoth, mergedPolicy, union } from '../core/data-policy.ts';
import { type DataPolicy, dataPoliciesOf, type WithPolicies } from '../core/tenancy.ts';
import { type ForbiddenBy, indexIn, type ProviderPreferences } from './provider-preferences.ts';

/** A part of a request that may make a provider keep something. */
export interface KeptFeature {
  /** As `zdrFeatures` names it. */
  readonly feature: string;
  /** The field of the request. */
  readonly param: string;
}

interface DataWishes {
  readonly preferences?: ProviderPreferences | undefined;
  readonly policies: readonly DataPolicy[];
  readonly features?: readonly KeptFeature[];
  /** What the operator says of providers. */
  readonly own?: OwnData | undefined;
}

/** The first field that forbids a target: of the request, else of the policies. */
export function dataRule({ preferences = {}, policies, features = [], own }: DataWishes): ForbiddenBy {
  const policy = mergedPolicy(policies);
  const { only, ignore } = policy.providers ?? {};
  return (target) => {
    const data = dataOf(target, own);
    const keeping = features.find(({ feature }) => !data.zdrFeatures.includes(feature));
    const kept = (field: string) => {
      if (!data.keepsNothing) return field;
      return keeping && `${field}:${keeping.param}`;
    };
    if (preferences.noCollection && data.collects) return 'provider.data_collection';
    const asked = preferences.noRetention && kept('provider.zdr');
    if (asked) return asked;
    if (only && indexIn(only, target) < 0) return 'data_policy.providers.only';
    if (ignore && indexIn(ignore, target) >= 0) return 'data_policy.providers.ignore';
    if ((policy.noTraining || preferences.noTraining) && data.trains) return 'data_policy.no_training';
    if (policy.regions && !areWithin(target.deployment.regions, policy.regions)) return 'data_policy.regions';
    return policy.zdr && kept('data_policy.zdr');
  };
}

/** What a request wants together with the data policies: never less than either. */
export function preferencesOf(
  key: WithPolicies | undefined,
  asked: ProviderPreferences = {},
): ProviderPreferences {
  const { zdr, noTraining, regions: within, providers } = mergedPolicy(dataPoliciesOf(key));
  const only = inBoth(asked.only, providers?.only);
  const ignore = union(asked.ignore, providers?.ignore);
  const regions = mergedPolicy([
    { ...(asked.regions && { regions: asked.regions }) },
    { ...(within && { regions: within }) },
  ]).regions;
  return {
    ...asked,
    ...(only && { only }),
    ...(ignore && { ignore }),
    ...(regions && { regions }),
    ...(zdr && { noRetention: true }),
    ...(noTraining && { noTraining: true }),
  };
}
