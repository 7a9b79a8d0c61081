/** `tenants set-data-policy` and `keys set-data-policy`: where what is sent may go, and what may be kept of it. */
import type { DataPolicyAnswer, DataPolicyInput } from '../../lib/admin/tenancy-schema.ts';
import { type Command, type CommandContext, UsageError } from '../command.ts';
import { readList } from './limit-options.ts';
import { type Noun, soon, subjects } from './subjects.ts';

const options = {
  zdr: { description: 'Zero data retention: only deployments that are known to keep nothing' },
  'no-training': { description: 'Only deployments that are known not to train on what they are sent' },
  regions: {
    value: '<list>',
    description: 'Only deployments that stay within these regions and region groups, such as eu',
  },
  only: { value: '<list>', description: 'Only these providers, or one in a region: bedrock/us-east-1' },
  ignore: { value: '<list>', description: 'None of these providers' },
  'no-store': { description: 'The gateway stores nothing of what is sent and answered' },
  none: { description: 'Removes the policy' },
} as const;

type Given = Pick<CommandContext, 'options' | 'flags'>;

function readPolicy({ options: { regions, only, ignore }, flags }: Given): DataPolicyInput {
  const policy = {
    ...(flags.has('zdr') && { zdr: true }),
    ...(flags.has('no-training') && { no_training: true }),
    ...(regions !== undefined && { regions: readList(regions) }),
    ...((only !== undefined || ignore !== undefined) && {
      providers: {
        ...(only !== undefined && { only: readList(only) }),
        ...(ignore !== undefined && { ignore: readList(ignore) }),
      },
    }),
    ...(flags.has('no-store') && { no_store: true }),
  };
  const isEmpty = Object.keys(policy).length === 0;
  if (isEmpty !== flags.has('none')) throw new UsageError('Give the parts of the policy, or --none alone.');
  return isEmpty ? null : policy;
}

/** For people, on one line. */
export function describeDataPolicy(policy: DataPolicyAnswer): string {
  const { zdr, no_training, regions, providers, no_store } = policy ?? {};
  const parts = [
    zdr && 'zero retention',
    no_training && 'no training',
    regions && `only in ${regions.join(', ')}`,
    providers?.only && `only ${providers.only.join(', ')}`,
    providers?.ignore && `not ${providers.ignore.join(', ')}`,
    no_store && 'nothing stored',
  ];
  return parts.filter((part) => typeof part === 'string').join('; ') || 'no data policy';
}

const typedAs = {
  'data_policy.regions': '--regions',
  'data_policy.providers.only': '--only',
  'data_policy.providers.ignore': '--ignore',
};

const setDataPolicy = (noun: Noun): Command => {
  const { one, argument, example, change } = subjects[noun];
  return {
    name: `${noun} set-data-policy`,
    summary: `Set where requests of a ${one} may go, and what may be kept of them`,
    description:
      'It replaces the policy before it as a whole. What the tenant or the key forbids, no request can allow. What is not known of a provider does not comply.',
    arguments: [argument],
    options,
    examples: [
      `${noun} set-data-policy ${example} --zdr --regions eu`,
      `${noun} set-data-policy ${example} --none`,
    ],
    async run({ options: given, flags, terminal, ...context }) {
      const data_policy = readPolicy({ options: given, flags });
      const changed = await change(context, { data_policy }, typedAs);
      const policy = describeDataPolicy(changed.data_policy);
      terminal.write(`The ${one} ${context.arguments[0]} has ${policy}. ${soon}`);
    },
  };
};

export const tenantDataPolicy = setDataPolicy('tenants');
export const keyDataPolicy = setDataPolicy('keys');
