/** Finds resources of a template by type, and functions by description. */
import type { Template } from 'aws-cdk-lib/assertions';

export interface Resource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
  readonly [attribute: string]: unknown;
}

export interface TemplateReader {
  /** Logical ids and resources. */
  ofType(type: string): readonly (readonly [string, Resource])[];
  /** The one resource of its type. */
  only(type: string): Resource;
  /** The logical id of the function whose description is this, or starts so. */
  functionOf(description: string): string;
  /** The logical id of the function that serves an operation. */
  functionFor(operation: { readonly method: string; readonly path: string }): string;
  /** The logical id of the alias of a function, which is what is invoked. */
  aliasOf(functionId: string): string;
}

export function readTemplate(template: Template): TemplateReader {
  const ofType = (type: string) => Object.entries(template.findResources(type)) as [string, Resource][];
  const functionOf = (description: string) => {
    const functions = ofType('AWS::Lambda::Function');
    // The path of one operation may be the beginning of another's.
    const found =
      functions.find(([, { Properties }]) => Properties.Description === description) ??
      functions.find(([, { Properties }]) => String(Properties.Description).startsWith(description));
    if (!found) throw new Error(`no function with the description ${description}`);
    return found[0];
  };
  return {
    ofType,
    only(type) {
      const [first, second] = ofType(type);
      if (!first || second) throw new Error(`not one resource of type ${type}`);
      return first[1];
    },
    functionOf,
    functionFor: ({ method, path }) => functionOf(`${method} ${path}`),
    aliasOf(functionId) {
      const isOf = ({ Properties }: Resource) =>
        JSON.stringify(Properties.FunctionName) === JSON.stringify({ Ref: functionId });
      const found = ofType('AWS::Lambda::Alias').find(([, alias]) => isOf(alias));
      if (!found) throw new Error(`no alias of ${functionId}`);
      return found[0];
    },
  };
}
