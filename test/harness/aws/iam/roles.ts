/** The functions of a synthesized gateway: the role of each with its statements, and its environment, as CloudFormation would set them. */
import { Template } from 'aws-cdk-lib/assertions';
import { pascalCase } from '../../../../infra/names.ts';
import { deployedAdminOperations } from '../../../../lib/core/admin/admin-operations.ts';
import { servedFunctions } from '../../../../lib/core/served-functions.ts';
import { tableNames } from '../../../../lib/core/tables.ts';
import { readTemplate } from '../../../infra/read-template.ts';
import type { StackInTest } from '../../../infra/synthesize.ts';
import { account } from '../fake-aws.ts';
import type { Principal } from '../service.ts';
import { type Statement, statementsOf } from './policies.ts';
import { createResolver, type TemplateJson } from './resolve.ts';

export interface DeployedFunction {
  /** That of its bundle. */
  readonly name: string;
  readonly principal: Principal;
  readonly statements: readonly Statement[];
  readonly environment: Readonly<Record<string, string>>;
}

/** How the functions begin that serve no operation, by the name of their bundle. */
const others = {
  aggregate: 'Adds up the ledger',
  background: 'Creates responses',
  export: 'Exports the ledger',
  seed: 'Writes the models',
};

/** Its id in the account. */
interface DeployedPool {
  readonly id: string;
}

/** `change` may alter the template of the gateway first. */
export function readFunctions(
  { stack, data }: StackInTest,
  region: string,
  change: (template: TemplateJson) => TemplateJson = (template) => template,
): readonly DeployedFunction[] {
  const own = Template.fromStack(stack);
  const template = change(own.toJSON() as TemplateJson);
  const templates = { [stack.stackName]: template, [data.stackName]: Template.fromStack(data).toJSON() };
  const { functionOf } = readTemplate(own);
  return functionsOf(stack.stackName, { templates, region, pool: undefined }, [
    ...servedFunctions.map(({ name, method, paths }) => [name, functionOf(`${method} ${paths[0]}`)] as const),
    ...Object.entries(others).map(([name, description]) => [name, functionOf(description)] as const),
  ]);
}

/** The same of the stack of the dashboard. */
export function readAdminFunctions(
  { stack, data, admin }: StackInTest,
  region: string,
  pool: DeployedPool,
): readonly DeployedFunction[] {
  const templates = Object.fromEntries(
    [stack, data, admin].map((one) => [one.stackName, Template.fromStack(one).toJSON() as TemplateJson]),
  );
  const { functionFor } = readTemplate(Template.fromStack(admin));
  const found = deployedAdminOperations
    .filter(({ name, servedBy }) => name.startsWith('admin-') && !servedBy)
    .map((operation) => [operation.name, functionFor(operation)] as const);
  return functionsOf(admin.stackName, { templates, region, pool }, found);
}

interface Account {
  readonly templates: Readonly<Record<string, TemplateJson>>;
  readonly region: string;
  readonly pool: DeployedPool | undefined;
}

/** `ids`: the names of bundles with the logical ids of their functions. */
function functionsOf(
  stack: string,
  { templates, region, pool }: Account,
  ids: readonly (readonly [name: string, id: string])[],
): readonly DeployedFunction[] {
  const resolve = createResolver({
    templates,
    account,
    region,
    nameOf(id, { Type }) {
      if (Type === 'AWS::Cognito::UserPool') return pool?.id;
      // Locally, a table has the name of its purpose.
      return Type === 'AWS::DynamoDB::GlobalTable'
        ? tableNames.find((name) => id.startsWith(pascalCase(name)))
        : undefined;
    },
  });
  const template = templates[stack] ?? {};
  return ids.map(([name, id]) => {
    const { Properties = {} } = template.Resources?.[id] ?? {};
    const { Role, Environment } = Properties as {
      readonly Role: { readonly 'Fn::GetAtt': readonly [string, string] };
      readonly Environment?: { readonly Variables: Readonly<Record<string, unknown>> };
    };
    const [role] = Role['Fn::GetAtt'];
    return {
      name,
      principal: {
        accessKeyId: `ASIA${name.toUpperCase().replaceAll('-', '')}`,
        secretAccessKey: `secret-of-${name}`,
        sessionToken: `token-of-${name}`,
        arn: `arn:aws:sts::${account}:assumed-role/${role}/${name}`,
      },
      statements: statementsOf(role, { stack, template, resolve }),
      environment: resolve(stack, Environment?.Variables ?? {}) as Readonly<Record<string, string>>,
    };
  });
}
