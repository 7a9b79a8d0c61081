/** Reads the templates of stacks in tests: resources by type, functions by description, and what roles may do. */

import type { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import type { Settings } from '../../infra/settings/settings.ts';
import { servedFunctions } from '../../lib/core/served-functions.ts';
import { makeStack } from './synthesize.ts';

/** Its form is what a test expects. */
export type Resource = ReturnType<Template['findResources']>[string];
export type Properties = Resource[string];

export interface Statement {
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: object;
}

export type TemplateReader = ReturnType<typeof readTemplate>;

interface ServedOperation {
  readonly method: string;
  readonly path: string;
}

export function readTemplate(template: Template) {
  const ofType = (type: string): readonly [string, Resource][] =>
    Object.entries(template.findResources(type));
  const propertiesOf = (type: string): readonly Properties[] =>
    ofType(type).map(([, { Properties }]) => Properties);
  /** The logical id of the function whose description is this, or starts so. */
  function functionOf(description: string): string {
    const functions = ofType('AWS::Lambda::Function');
    // The path of one operation may be the beginning of another's.
    const found =
      functions.find(([, { Properties }]) => Properties.Description === description) ??
      functions.find(([, { Properties }]) => String(Properties.Description).startsWith(description));
    if (!found) throw new Error(`no function with the description ${description}`);
    return found[0];
  }
  /** The logical id of a role, and a policy of it. */
  const policies = (): readonly (readonly [string, readonly Statement[]])[] => [
    ...ofType('AWS::IAM::Role').flatMap(([id, { Properties }]) =>
      [Properties.Policies ?? []].flat().map(({ PolicyDocument }) => [id, PolicyDocument.Statement] as const),
    ),
    ...propertiesOf('AWS::IAM::Policy').flatMap(({ Roles, PolicyDocument }) =>
      [Roles].flat().map(({ Ref }) => [Ref, PolicyDocument.Statement] as const),
    ),
  ];
  const propertiesOfFunction = (id: string): Properties =>
    template.findResources('AWS::Lambda::Function')[id]?.Properties;
  return {
    template,
    get text() {
      return JSON.stringify(template.toJSON());
    },
    get outputs() {
      return template.findOutputs('*');
    },
    /** Logical ids and resources. */
    ofType,
    propertiesOf,
    /** The one resource of its type. */
    only(type: string): Resource {
      const [first, second] = ofType(type);
      if (!first || second) throw new Error(`not one resource of type ${type}`);
      return first[1];
    },
    functionOf,
    /** The logical id of the function that serves an operation. */
    functionFor: ({ method, path }: ServedOperation) => {
      const isOwn = (one: ServedOperation) => one.method === method && one.path === path;
      const served = servedFunctions.find(({ operations }) => operations.some(isOwn));
      return functionOf(`${served?.method ?? method} ${served?.paths[0] ?? path}`);
    },
    propertiesOfFunction,
    variablesOf: (functionId: string): Readonly<Record<string, unknown>> =>
      propertiesOfFunction(functionId).Environment.Variables,
    roleOf: (functionId: string): string => propertiesOfFunction(functionId).Role['Fn::GetAtt'][0],
    /** What a role may do; without one, what all of them may. */
    statementsOf: (role?: string): readonly Statement[] =>
      policies().flatMap(([id, statements]) => (role === undefined || id === role ? statements : [])),
    policies,
    /** The logical id of the alias of a function, which is what is invoked. */
    aliasOf(functionId: string): string {
      const isOf = ({ Properties }: Resource) =>
        JSON.stringify(Properties.FunctionName) === JSON.stringify({ Ref: functionId });
      const found = ofType('AWS::Lambda::Alias').find(([, alias]) => isOf(alias));
      if (!found) throw new Error(`no alias of ${functionId}`);
      return found[0];
    },
    /** The path of a method of an API, from the parents of its resource. */
    pathOf: function pathOf(resource: unknown): string {
      const id = (resource as { Ref?: string }).Ref ?? '';
      const found = template.findResources('AWS::ApiGateway::Resource')[id];
      return found ? `${pathOf(found.Properties.ParentId)}/${found.Properties.PathPart}` : '';
    },
  };
}

const read = new Map<Stack, TemplateReader>();

/** A stack with these settings: that of the gateway, of its tables or of its dashboard. */
export function readStack(given: Partial<Settings> = {}, part: 'stack' | 'data' | 'admin' = 'stack') {
  const stack = makeStack(given)[part];
  const reader = read.get(stack) ?? readTemplate(Template.fromStack(stack));
  read.set(stack, reader);
  return reader;
}
