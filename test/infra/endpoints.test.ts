/** Which hosts of AWS the code of a stack calls, and that the template is of no one partition. */
import { expect, test } from 'vitest';
import type { Settings } from '../../infra/settings/settings.ts';
import { readStack } from './read-template.ts';
import { fargateDefaults } from './synthesize.ts';

const key = 'arn:aws-cn:kms:cn-north-1:123456789012:key/0a1b2c3d-1111-2222-3333-444455556666';
const fargate = { compute: 'fargate', fargate: fargateDefaults } as const;

const synthesize = (settings: Partial<Settings>): string => readStack(settings).text;

const count = (text: string, part: string): number => text.split(part).length - 1;

test.each([
  ['functions', {}],
  ['an export and an own key', { exportBucket: 'acme-exports', kmsKeyArn: key }],
  [
    'tasks',
    {
      ...fargate,
      domain: {
        name: 'ai.example.cn',
        certificateArn: 'arn:aws-cn:acm:cn-north-1:123456789012:certificate/0a1b2c3d-1111',
      },
    },
  ],
])('all code of a stack of %s calls the chosen hosts', (_what, settings) => {
  const chosen = synthesize({ ...settings, fips: true, dualStack: true });
  // Each function and container of ours sets it.
  const logLevels = count(chosen, 'LOG_LEVEL');
  expect(logLevels).toBeGreaterThan(0);
  expect(count(chosen, 'AWS_USE_FIPS_ENDPOINT')).toBe(logLevels);
  expect(count(chosen, 'AWS_USE_DUALSTACK_ENDPOINT')).toBe(logLevels);
  expect(synthesize(settings)).not.toMatch(/AWS_USE_(?:FIPS|DUALSTACK)_ENDPOINT/);
});

/** Names of services as principals, which are the same in all partitions; and those that KMS documents. */
const everywhere =
  /^(?:lambda|apigateway|ecs-tasks|cloudwatch|events|scheduler|bedrock|delivery\.logs)\.amazonaws\.com$/;

test('the template names no partition', () => {
  const text = synthesize({ kmsKeyArn: key, exportBucket: 'acme-exports' });
  expect(text).not.toContain('arn:aws:');
  const named = text.match(/[\w.-]*\.amazonaws\.com\b/g) ?? [];
  // Of `kms:ViaService`, beside which the suffix of the partition stands.
  const others = named.filter((name) => !everywhere.test(name) && name !== '.amazonaws.com');
  expect(others).toEqual([]);
  expect(count(text, '"AWS::URLSuffix"')).toBeGreaterThan(0);
});
