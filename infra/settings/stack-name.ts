/** The name of the stack of a gateway, from which the names of its tables, parameters and roles begin. */
import { adminStackName } from '../names.ts';
import type { SettingText } from './values.ts';

/** Source: docs.aws.amazon.com CloudFormation, API_CreateStack, "StackName". */
const form = /^[A-Za-z][A-Za-z0-9-]*$/;
const longest = 128 - adminStackName('').length;

/** The first part of a parameter's name may not begin so. Source: docs.aws.amazon.com Systems Manager, API_PutParameter, "Name". */
const reserved = /^(?:aws|ssm)/i;

/** Throws an Error that names the setting. */
export function readStackName(text: SettingText): string {
  const name = text('stackName', 'ModelGateway');
  if (form.test(name) && name.length <= longest && !reserved.test(name)) return name;
  throw new Error(
    `The setting "stackName" must be a letter and then letters, digits and hyphens, at most ${longest} in all, and not begin with "aws" or "ssm", not "${name}".`,
  );
}
