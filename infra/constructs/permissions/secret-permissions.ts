/** What roles may do with provider keys and the secret of the stack in the parameter store, and with what is sealed by the operator's key. */
import { Aws } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { secretName, secretPath } from '../../../lib/core/provider-settings.ts';
import type { Permissions } from './permissions.ts';

/** The ARN of a parameter, or of what is below a path. */
export const parameterArn = (path: string): string =>
  `arn:${Aws.PARTITION}:ssm:${Aws.REGION}:${Aws.ACCOUNT_ID}:parameter${path}`;

const ofParameter = (arn: string) => ({ 'kms:EncryptionContext:PARAMETER_ARN': arn });

/**
 * Allows reading the provider API keys below `prefix`, each a SecureString named `<provider>/api-key`, all together: the action is
 * authorized on the path itself, and covers all below it. The account's default key for parameters needs no grant. Source:
 * Systems Manager API reference, GetParametersByPath, and the refusals of callers that were granted `<path>/*`.
 */
export function allowProviderKeys(permissions: Permissions, prefix: string): void {
  const path = parameterArn(prefix);
  // The secret of the stack is in a path of its own below it.
  allowPaths(permissions, prefix, [path, secretPath(path)]);
}

/** Allows reading the secret of the stack, and no key of a provider. */
export const allowSecret = (permissions: Permissions, prefix: string): void =>
  allowPaths(permissions, prefix, [secretPath(parameterArn(prefix))]);

function allowPaths(permissions: Permissions, prefix: string, resources: string[]): void {
  permissions.adds(new PolicyStatement({ actions: ['ssm:GetParametersByPath'], resources }));
  permissions.usesKey('ssm', ['kms:Decrypt'], ofParameter(`${resources[0]}/*`));
  permissions.setVariable('PROVIDER_PARAMETERS_PREFIX', prefix);
}

/** Allows making the secret of the stack. */
export function allowMakingSecret(permissions: Permissions, prefix: string): void {
  const parameter = parameterArn(`${secretPath(prefix)}/${secretName}`);
  permissions.allows(['ssm:PutParameter'], parameter);
  permissions.usesKey('ssm', ['kms:Encrypt', 'kms:GenerateDataKey'], ofParameter(parameter));
  permissions.setVariable('PROVIDER_PARAMETERS_PREFIX', prefix);
  if (permissions.kmsKeyArn) permissions.setVariable('PROVIDER_PARAMETERS_KEY', permissions.kmsKeyArn);
}

/** Allows writing and removing settings of providers below a path, and reading none. */
export function allowSettingProviders(permissions: Permissions, prefix: string): void {
  const each = parameterArn(`${prefix}/*`);
  const wildcards = 'One parameter for each setting of a provider.';
  permissions.allows(['ssm:PutParameter', 'ssm:DeleteParameter'], each, wildcards);
  permissions.usesKey('ssm', ['kms:Encrypt', 'kms:GenerateDataKey'], ofParameter(each));
  permissions.setVariable('PROVIDER_PARAMETERS_PREFIX', prefix);
  if (permissions.kmsKeyArn) permissions.setVariable('PROVIDER_PARAMETERS_KEY', permissions.kmsKeyArn);
}

/** Allows sealing or opening credentials of tenants with the operator's key, if there is one. */
export function allowSealing(permissions: Permissions, ...actions: string[]): void {
  if (!permissions.kmsKeyArn) return;
  const conditions = { StringLike: { 'kms:EncryptionContext:credential': 'cred_*' } };
  permissions.adds(new PolicyStatement({ actions, resources: [permissions.kmsKeyArn], conditions }));
}
