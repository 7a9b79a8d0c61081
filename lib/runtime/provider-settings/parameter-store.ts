/** Provider settings in the parameter store of a stack, encrypted. */
import type { AwsCall } from '../../core/ports/aws.ts';
import type { KnownSetting, ProviderSettings } from '../../core/ports/provider-settings.ts';

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
      return { location, effect: 'within five minutes' };
    },
    async list(accounts) {
      const names = new Set(await namesBelow(call, prefix));
      return accounts.flatMap(({ account, settings }) =>
        settings.flatMap((setting): KnownSetting[] => {
          const source = `${prefix}/${account}/${setting}`;
          return names.has(source) ? [{ account, setting, source }] : [];
        }),
      );
    },
    awsCredentials: 'role of the function',
  };
}

/** Only the names: listing them needs no permission to read the values. */
async function namesBelow(call: AwsCall, prefix: string): Promise<readonly string[]> {
  const names: string[] = [];
  let next: unknown;
  do {
    const page = await call('AmazonSSM.DescribeParameters', {
      ParameterFilters: [{ Key: 'Path', Option: 'Recursive', Values: [prefix] }],
      MaxResults: 50,
      ...(next !== undefined && { NextToken: next }),
    });
    const found: readonly unknown[] = Array.isArray(page.Parameters) ? page.Parameters : [];
    for (const parameter of found) names.push(...nameOf(parameter));
    next = page.NextToken;
  } while (typeof next === 'string' && next !== '');
  return names;
}

function nameOf(parameter: unknown): readonly string[] {
  const { Name } = (parameter ?? {}) as { readonly Name?: unknown };
  return typeof Name === 'string' ? [Name] : [];
}
