/** The secret of an installation: made once, readable by its owner alone, and the same for every process. */
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ensureStackSecret } from '../../infra/seed/secret.ts';
import { deriveKeyOf } from '../../lib/runtime/stack-secret.ts';
import { operator, startFakeAws } from '../harness/aws/fake-aws.ts';
import { type FakeParameters, ssm } from '../harness/aws/services/ssm.ts';
import { newDirectory } from '../harness/new-directory.ts';
import { use } from '../harness/use.ts';

const parameters: FakeParameters = new Map();
const directory = newDirectory();

const aws = use(() => startFakeAws({ services: [ssm({ parameters })] }));

const base = {
  AWS_REGION: 'eu-west-1',
  AWS_ACCESS_KEY_ID: operator.accessKeyId,
  AWS_SECRET_ACCESS_KEY: operator.secretAccessKey,
};
const onLaptop = (file: string) => deriveKeyOf({ ...base, GATEWAY_SECRET_FILE: file });
const inStack = () =>
  deriveKeyOf({ ...base, AWS_ENDPOINT_URL_SSM: aws.url, PROVIDER_PARAMETERS_PREFIX: '/Acme/providers' });

test('a file is made on first use, for its owner alone, and is the same for all who make it at once', async () => {
  const file = join(directory, 'made', 'secret');
  const keys = await Promise.all(Array.from({ length: 8 }, () => onLaptop(file)('one')));
  expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readFile(file)).toHaveLength(32);
});

test('each purpose has another key, and none is the secret', async () => {
  const file = join(directory, 'purposes');
  const derive = onLaptop(file);
  const [one, other] = await Promise.all([derive('one'), derive('other')]);
  expect(one).toHaveLength(32);
  expect(one).not.toEqual(other);
  expect(await readFile(file)).not.toEqual(one);
});

test('a file of another length is refused, and no file at all is named by its variable', async () => {
  const file = join(directory, 'short');
  await writeFile(file, 'short');
  await expect(onLaptop(file)('one')).rejects.toThrow('must have 32 bytes');
  await expect(deriveKeyOf(base)('one')).rejects.toThrow('GATEWAY_SECRET_FILE');
});

test('a stack has one from its first deployment on, and later ones keep it', async () => {
  await expect(inStack()('one')).rejects.toThrow('deploy it again');
  const call = async (_: string, input: object) => {
    const { Name, Value } = input as { Name: string; Value: string };
    parameters.set(Name, { value: Value });
    return {};
  };
  await ensureStackSecret(call, { prefix: '/Acme/providers', kmsKey: undefined });
  expect([...parameters.keys()]).toEqual(['/Acme/providers/gateway/secret']);
  const derive = inStack();
  expect(await derive('one')).toEqual(await inStack()('one'));
});
