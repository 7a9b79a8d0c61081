/**
 * Gives the values of intrinsic functions in templates, as CloudFormation does when it creates the resources. Names that AWS would make up
 * follow from logical ids. Source: docs.aws.amazon.com CloudFormation, intrinsic-function-reference; return values of each resource.
 */
export interface TemplateJson {
  readonly Resources?: Readonly<Record<string, ResourceJson>>;
  readonly Outputs?: Readonly<Record<string, { readonly Value: unknown }>>;
  readonly Parameters?: Readonly<Record<string, { readonly Default?: unknown }>>;
}

export interface ResourceJson {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

interface ResolverOptions {
  /** By the name of the stack. */
  readonly templates: Readonly<Record<string, TemplateJson>>;
  readonly account: string;
  readonly region: string;
  /** The name of a resource that has none in its template. */
  readonly nameOf?: (logicalId: string, resource: ResourceJson) => string | undefined;
}

/** The value of anything in the template of a stack. Throws Error for a function or attribute that it does not know. */
export type Resolve = (stack: string, value: unknown) => unknown;

export function createResolver(options: ResolverOptions): Resolve {
  const { templates, account, region, nameOf = () => undefined } = options;
  const templateOf = (stack: string): TemplateJson => {
    const found = templates[stack];
    if (found) return found;
    throw new Error(`There is no template of the stack ${stack}.`);
  };
  const pseudo = (stack: string): Readonly<Record<string, unknown>> => ({
    'AWS::AccountId': account,
    'AWS::Region': region,
    'AWS::Partition': 'aws',
    'AWS::URLSuffix': 'amazonaws.com',
    'AWS::StackId': `arn:aws:cloudformation:${region}:${account}:stack/${stack}/0a1b2c3d-1111-2222-3333-444455556666`,
    'AWS::StackName': stack,
    'AWS::NoValue': undefined,
  });

  function resource(stack: string, id: string): ResourceJson {
    const found = templateOf(stack).Resources?.[id];
    if (found) return found;
    throw new Error(`${stack} has no resource ${id}.`);
  }

  const named = (stack: string, id: string): string => nameOf(id, resource(stack, id)) ?? `${stack}-${id}`;

  function reference(stack: string, id: string): unknown {
    const fixed = pseudo(stack);
    if (id in fixed) return fixed[id];
    const parameter = templateOf(stack).Parameters?.[id];
    if (parameter) return parameter.Default;
    const { Type, Properties = {} } = resource(stack, id);
    if (Type === 'AWS::SNS::Topic') return attribute(stack, id, 'TopicArn');
    return Type === 'AWS::Lambda::Alias' ? aliasArn(stack, Properties) : named(stack, id);
  }

  function aliasArn(stack: string, { FunctionName, Name }: Readonly<Record<string, unknown>>): string {
    const name = String(resolve(stack, FunctionName));
    return `arn:aws:lambda:${region}:${account}:function:${name}:${String(Name)}`;
  }

  function attribute(stack: string, id: string, name: string): string {
    const { Type } = resource(stack, id);
    const physical = named(stack, id);
    const form = arnForms[Type];
    if (form && (name === 'Arn' || name === 'TopicArn')) return form({ region, account, name: physical });
    if (name === 'StreamArn')
      return `arn:aws:dynamodb:${region}:${account}:table/${physical}/stream/2026-11-20T00:00:00.000`;
    if (Type === 'AWS::CloudFront::Distribution' && name === 'DomainName') return 'd0a1b2c3d.cloudfront.net';
    return `${physical}.${name}`;
  }

  const functions: Readonly<Record<string, (stack: string, given: unknown) => unknown>> = {
    Ref: (stack, id) => reference(stack, String(id)),
    'Fn::GetAtt': (stack, given) => {
      const [id = '', ...names] = Array.isArray(given) ? given.map(String) : String(given).split('.');
      return attribute(stack, id, names.join('.'));
    },
    'Fn::Join': (stack, given) => {
      const [separator, parts] = given as [string, unknown];
      return (resolve(stack, parts) as readonly unknown[]).join(separator);
    },
    'Fn::Split': (stack, given) => {
      const [separator, text] = given as [string, unknown];
      return String(resolve(stack, text)).split(separator);
    },
    'Fn::Select': (stack, given) => {
      const [index, list] = given as [unknown, unknown];
      return (resolve(stack, list) as readonly unknown[])[Number(index)];
    },
    'Fn::Sub': (stack, given) => {
      const [text, own = {}] = (Array.isArray(given) ? given : [given]) as [string, Record<string, unknown>?];
      return text.replaceAll(/\$\{([^!}]+)\}/g, (_, name: string) => {
        if (name in own) return String(resolve(stack, own[name]));
        const [id = '', ...names] = name.split('.');
        return String(names.length > 0 ? attribute(stack, id, names.join('.')) : reference(stack, id));
      });
    },
    'Fn::GetStackOutput': (_stack, given) => {
      const { StackName, OutputName } = given as { readonly StackName: string; readonly OutputName: string };
      const output = templateOf(StackName).Outputs?.[OutputName];
      if (output) return resolve(StackName, output.Value);
      throw new Error(`${StackName} has no output ${OutputName}.`);
    },
  };

  function resolve(stack: string, value: unknown): unknown {
    if (Array.isArray(value)) return value.map((one) => resolve(stack, one));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value);
    const [first] = entries;
    if (entries.length === 1 && first && (first[0] === 'Ref' || first[0].startsWith('Fn::'))) {
      const known = functions[first[0]];
      if (!known) throw new Error(`The function ${first[0]} is not known.`);
      return known(stack, first[1]);
    }
    return Object.fromEntries(entries.map(([name, one]) => [name, resolve(stack, one)]));
  }
  return resolve;
}

interface Place {
  readonly region: string;
  readonly account: string;
  readonly name: string;
}

const arnForms: Readonly<Record<string, (place: Place) => string>> = {
  'AWS::Cognito::UserPool': ({ region, account, name }) =>
    `arn:aws:cognito-idp:${region}:${account}:userpool/${name}`,
  'AWS::DynamoDB::GlobalTable': ({ region, account, name }) =>
    `arn:aws:dynamodb:${region}:${account}:table/${name}`,
  'AWS::IAM::Role': ({ account, name }) => `arn:aws:iam::${account}:role/${name}`,
  'AWS::Lambda::Function': ({ region, account, name }) =>
    `arn:aws:lambda:${region}:${account}:function:${name}`,
  'AWS::Logs::LogGroup': ({ region, account, name }) =>
    `arn:aws:logs:${region}:${account}:log-group:${name}:*`,
  'AWS::SQS::Queue': ({ region, account, name }) => `arn:aws:sqs:${region}:${account}:${name}`,
  'AWS::SNS::Topic': ({ region, account, name }) => `arn:aws:sns:${region}:${account}:${name}`,
};
