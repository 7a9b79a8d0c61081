/** Provider settings in the parameter store of a stack, encrypted. */
import { type AwsCall, AwsError } from '../../core/ports/aws.ts';
import type { KnownSetting, ProviderSettings } from '../../core/ports/provider-settings.ts';

/** How long functions use settings before they read them again. */
const effect = 'within five minutes';

export function createStackSettings({
  call,
  prefix,
  kmsKey,
}: {
  readonly call: AwsCall;
  /** The path of the settings, each `<account>/<setting>`. */
  readonly prefix: string;
  /** The ARN of the key to encrypt with; absent: the account's default one. */
  readonly kmsKey?: string | undefined;
}): ProviderSettings {
  return {
    async put({ account, setting, value }) {
      const location = `${prefix}/${account}/${setting}`;
      await call('AmazonSSM.PutParameter', {
        Name: location,
        Value: value,
        Type: 'SecureString',
        ...(kmsKey !== undefined && { KeyId: kmsKey }),
        Overwrite: true,
      });
      return { location, effect };
    },
    async remove({ account, setting }) {
      const location = `${prefix}/${account}/${setting}`;
      try {
        await call('AmazonSSM.DeleteParameter', { Name: location });
      } catch (error) {
        if (error instanceof AwsError && error.type === 'ParameterNotFound') return undefined;
        throw error;
      }
      return { location, effect };
    },
    async list(accounts) {
      const times = await timesBelow(call, prefix);
      return accounts.flatMap(({ account, settings }) =>
        settings.flatMap((setting): KnownSetting[] => {
          const source = `${prefix}/${account}/${setting}`;
          if (!times.has(source)) return [];
          const storedAt = times.get(source);
          return [{ account, setting, source, ...(storedAt !== undefined && { storedAt }) }];
        }),
      );
    },
    awsCredentials: 'role of the function',
  };
}

/** When each was stored, by its name: listing them needs no permission to read the values. */
async function timesBelow(call: AwsCall, prefix: string): Promise<ReadonlyMap<string, number | undefined>> {
  const times = new Map<string, number | undefined>();
  let next: unknown;
  do {
    const page = await call('AmazonSSM.DescribeParameters', {
      ParameterFilters: [{ Key: 'Path', Option: 'Recursive', Values: [prefix] }],
      MaxResults: 50,
      ...(next !== undefined && { NextToken: next }),
    });
    const found: readonly unknown[] = Array.isArray(page.Parameters) ? page.Parameters : [];
    for (const parameter of found) addTime(times, parameter);
    next = page.NextToken;
  } while (typeof next === 'string' && next !== '');
  return times;
}

/** Source: docs.aws.amazon.com Systems Manager, API_ParameterMetadata: `LastModifiedDate`, in seconds. */
function addTime(times: Map<string, number | undefined>, parameter: unknown): void {
  const { Name, LastModifiedDate: at } = (parameter ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof Name === 'string') times.set(Name, typeof at === 'number' ? Math.floor(at) : undefined);
}
