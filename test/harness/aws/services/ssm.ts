/**
 * The parameter store. Sources: docs.aws.amazon.com Systems Manager, API_GetParameter, API_GetParametersByPath (at most 10 for a page),
 * API_PutParameter, API_DeleteParameter, API_DescribeParameters (at most 50), API_GetServiceSetting.
 */
import {
  type AccessRequest,
  AwsRefusal,
  type CallContext,
  type FakeService,
  type Input,
} from '../service.ts';

interface FakeParameter {
  readonly value: string;
  readonly type?: 'String' | 'SecureString';
  /** The ARN of the key that encrypts it, if it is the operator's own. */
  readonly key?: string;
}

/** By name. */
export type FakeParameters = Map<string, FakeParameter>;

interface SsmOptions {
  readonly parameters?: FakeParameters;
  /** Of `/ssm/…`, by id. */
  readonly settings?: Readonly<Record<string, string>>;
}

export function ssm({ parameters = new Map(), settings = {} }: SsmOptions = {}): FakeService {
  return {
    name: 'ssm',
    protocol: 'json',
    needs: (action, input, context) => needsOf(parameters, action, input, context),
    actions: {
      GetParameter({ Name }, context) {
        const found = parameters.get(String(Name));
        if (!found) throw new AwsRefusal('ParameterNotFound', '');
        return { Parameter: describe(String(Name), found, context) };
      },
      GetParametersByPath({ Path, Recursive = false, MaxResults = 10, NextToken }, context) {
        refuseMoreThan(10, MaxResults);
        const names = namesBelow(parameters, String(Path), Recursive === true);
        const { page, next } = pageOf(names, Number(MaxResults), NextToken);
        return {
          Parameters: page.map((name) => describe(name, parameters.get(name) ?? { value: '' }, context)),
          ...(next && { NextToken: next }),
        };
      },
      PutParameter({ Name, Value, Type, KeyId, Overwrite = false }) {
        if (parameters.has(String(Name)) && !Overwrite) throw new AwsRefusal('ParameterAlreadyExists', '');
        if (String(Value) === '') throw new AwsRefusal('ValidationException', 'Value is empty.');
        parameters.set(String(Name), {
          value: String(Value),
          type: Type === 'SecureString' ? 'SecureString' : 'String',
          ...(KeyId !== undefined && { key: String(KeyId) }),
        });
        return { Version: 1, Tier: 'Standard' };
      },
      DeleteParameter({ Name }) {
        if (!parameters.delete(String(Name))) throw new AwsRefusal('ParameterNotFound', '');
        return {};
      },
      DescribeParameters({ ParameterFilters, MaxResults = 50, NextToken }) {
        refuseMoreThan(50, MaxResults);
        const [filter] = (ParameterFilters ?? []) as readonly {
          Key: string;
          Option: string;
          Values: string[];
        }[];
        const names = namesBelow(parameters, filter?.Values[0] ?? '/', filter?.Option === 'Recursive');
        const { page, next } = pageOf(names, Number(MaxResults), NextToken);
        return {
          Parameters: page.map((Name) => ({
            Name,
            Type: parameters.get(Name)?.type ?? 'SecureString',
            LastModifiedDate: 1_796_083_200.5,
          })),
          ...(next && { NextToken: next }),
        };
      },
      GetServiceSetting({ SettingId }) {
        const value = settings[String(SettingId)];
        if (value === undefined) throw new AwsRefusal('ServiceSettingNotFound', '');
        return { ServiceSetting: { SettingId, SettingValue: value, Status: 'Default' } };
      },
    },
  };
}

function refuseMoreThan(limit: number, value: unknown): void {
  if (Number(value) <= limit) return;
  const message = `Value '${value}' at 'maxResults' failed to satisfy constraint: Member must have value less than or equal to ${limit}`;
  throw new AwsRefusal('ValidationException', message);
}

function namesBelow(parameters: FakeParameters, path: string, isRecursive: boolean): readonly string[] {
  const prefix = path.endsWith('/') ? path : `${path}/`;
  return [...parameters.keys()]
    .filter((name) => name.startsWith(prefix) && (isRecursive || !name.slice(prefix.length).includes('/')))
    .sort();
}

function pageOf(names: readonly string[], size: number, token: unknown) {
  const start = Number(token ?? 0);
  const next = start + size;
  return { page: names.slice(start, next), next: next < names.length ? String(next) : undefined };
}

const arnOf = ({ region, account }: CallContext, name: string) =>
  `arn:aws:ssm:${region}:${account}:parameter/${name.replace(/^\//, '')}`;

const describe = (Name: string, { value, type = 'SecureString' }: FakeParameter, context: CallContext) => ({
  Name,
  Type: type,
  Value: value,
  Version: 1,
  ARN: arnOf(context, Name),
});

/**
 * An action on one parameter, or on the path as it is given. A value that the operator's own key encrypts is decrypted with the permissions
 * of the caller. Source: docs.aws.amazon.com Systems Manager, secure-string-parameter-kms-encryption.
 */
function needsOf(
  parameters: FakeParameters,
  action: string,
  input: Input,
  context: CallContext,
): readonly AccessRequest[] {
  const name = action === 'GetParametersByPath' ? input.Path : input.Name;
  const own = { action: `ssm:${action}`, resource: name === undefined ? '*' : arnOf(context, String(name)) };
  if (input.WithDecryption !== true) return [own];
  const read =
    action === 'GetParameter'
      ? [String(name)]
      : namesBelow(parameters, String(name), input.Recursive === true);
  return [
    own,
    ...read.flatMap((one) => {
      const key = parameters.get(one)?.key;
      if (key === undefined) return [];
      return {
        action: 'kms:Decrypt',
        resource: key,
        context: {
          'kms:ViaService': [`ssm.${context.region}.amazonaws.com`],
          'kms:EncryptionContext:PARAMETER_ARN': [arnOf(context, one)],
        },
      };
    }),
  ];
}
