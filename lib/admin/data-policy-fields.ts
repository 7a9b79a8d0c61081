/** Data policies in the fields of the admin API. */
import type { DataPolicy } from '../core/tenancy.ts';
import type { DataPolicyAnswer, DataPolicyInput } from './tenancy-schema.ts';

/** Null: none is left, or it forbids nothing. */
export function readDataPolicy(input: DataPolicyInput): DataPolicy | null {
  const { zdr, no_training: noTraining, regions, providers, no_store: noStore } = input ?? {};
  const { only, ignore } = providers ?? {};
  const policy: DataPolicy = {
    ...(zdr && { zdr }),
    ...(noTraining && { noTraining }),
    ...(regions && { regions: sorted(regions) }),
    ...((only || ignore) && {
      providers: { ...(only && { only: sorted(only) }), ...(ignore && { ignore: sorted(ignore) }) },
    }),
    ...(noStore && { noStore }),
  };
  return Object.keys(policy).length > 0 ? policy : null;
}

const sorted = (names: readonly string[]): readonly string[] => [...new Set(names)].toSorted();

export function dataPolicyRow(policy: DataPolicy | undefined): DataPolicyAnswer {
  if (!policy) return null;
  const { zdr = false, noTraining = false, regions, providers, noStore = false } = policy;
  return {
    zdr,
    no_training: noTraining,
    regions: regions ? [...regions] : null,
    providers: {
      only: providers?.only ? [...providers.only] : null,
      ignore: providers?.ignore ? [...providers.ignore] : null,
    },
    no_store: noStore,
  };
}
