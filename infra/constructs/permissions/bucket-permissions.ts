/** What roles may do with objects in buckets of this account. */
import { Aws, Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { acknowledgeWildcards } from '../acknowledge.ts';
import type { Permissions } from './permissions.ts';

/** If a bucket is deleted, someone else can take its name. */
const conditions = { StringEquals: { 's3:ResourceAccount': Aws.ACCOUNT_ID } };

/** Allows writing objects of a bucket below a prefix. */
export function allowExports(permissions: Permissions, bucket: string, prefix: string): void {
  const resources = [`arn:${Aws.PARTITION}:s3:::${bucket}/${prefix}/*`];
  permissions.adds(
    new PolicyStatement({ actions: ['s3:PutObject'], resources, conditions }),
    'One object for each tenant, day and part.',
  );
}

/** Allows actions on the objects of the bucket of files, and says for how long files are kept. */
export function allowFiles(
  permissions: Permissions,
  bucket: string,
  days: number,
  actions: readonly string[],
): void {
  const objectsOf = (name: string) => `arn:${Aws.PARTITION}:s3:::${name}/t/*`;
  permissions.adds(
    new PolicyStatement({ actions: [...actions], resources: [objectsOf(bucket)], conditions }),
  );
  // The rules name an output of another stack as it is in the template.
  const name = Stack.of(permissions.role).resolve(bucket);
  const written = typeof name === 'string' ? name : JSON.stringify(name);
  acknowledgeWildcards(permissions.role, [objectsOf(written)], 'One object for each part of a file.');
  permissions.usesKey('s3', ['kms:Decrypt', 'kms:GenerateDataKey']);
  permissions.setVariables({ GATEWAY_FILES_BUCKET: bucket, GATEWAY_FILES_DAYS: `${days}` });
}
