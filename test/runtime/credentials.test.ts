/**
 * The credentials of a process: from a real endpoint on loopback that rotates its keys, from a service of tokens that answers in XML,
 * and from variables; and which key signs the calls of the database meanwhile.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { maxCredentialsAnswer } from '../../lib/runtime/credentials/bounds.ts';
import { createCredentials } from '../../lib/runtime/credentials.ts';
import { createFoundation } from '../../lib/runtime/foundation.ts';
import { createEndpoints } from '../../lib/transport/aws/aws-endpoints.ts';
import { createNodeClient } from '../../lib/transport/http-client/node-client.ts';
import { startSts } from '../harness/sts.ts';
import { startUpstream, type Upstream, type UpstreamScript } from '../harness/upstream.ts';

let endpoint: Upstream;
let database: Upstream;
let directory = '';
const client = createNodeClient();
beforeAll(async () => {
  [endpoint, database] = await Promise.all([startUpstream(), startUpstream()]);
  directory = await mkdtemp(join(tmpdir(), 'gateway-credentials-'));
});
afterAll(async () => {
  await Promise.all([endpoint.close(), database.close(), client.close(), rm(directory, { recursive: true })]);
});

interface Clock {
  ms: number;
}

/** The credentials of these variables, on a clock that moves only when a test moves it. */
function credentialsOf(variables: Record<string, string | undefined>) {
  const clock: Clock = { ms: Date.now() };
  const reasons: string[] = [];
  const find = createCredentials({
    variables,
    endpointOf: createEndpoints('eu-west-1', variables),
    send: client.send,
    now: () => clock.ms,
    warn: (reason) => reasons.push(reason),
  });
  return { find, clock, reasons };
}

const container = () => ({
  AWS_CONTAINER_CREDENTIALS_FULL_URI: `${endpoint.url}/v1/credentials?role=gateway`,
});

/** Answers with keys by number, each valid for some seconds from `now()`. */
function rotating(seconds: number, now: () => number = Date.now): UpstreamScript {
  let number = 0;
  return (_request, response) => {
    number += 1;
    const Expiration = new Date(now() + seconds * 1_000).toISOString();
    const body = { AccessKeyId: `KEY${number}`, SecretAccessKey: 'secret', Token: 'session', Expiration };
    response.end(JSON.stringify(body));
  };
}

test('variables: the same object until a runtime replaces them', async () => {
  const variables: Record<string, string> = { AWS_ACCESS_KEY_ID: 'A', AWS_SECRET_ACCESS_KEY: 'S' };
  const { find, clock } = credentialsOf(variables);
  const first = await find();
  expect(first).toEqual({ accessKeyId: 'A', secretAccessKey: 'S' });
  clock.ms += 60_000;
  expect(await find()).toBe(first);
  Object.assign(variables, { AWS_ACCESS_KEY_ID: 'B', AWS_SESSION_TOKEN: 'T' });
  clock.ms += 1_000;
  expect(await find()).toEqual({ accessKeyId: 'B', secretAccessKey: 'S', sessionToken: 'T' });
});

test('without any, a call fails', async () => {
  await expect(credentialsOf({ AWS_EC2_METADATA_DISABLED: 'true' }).find()).rejects.toThrow(
    'No AWS credentials are configured.',
  );
});

/** The metadata service of an instance: it answers only with the token that it gave, in version 2. */
function metadata(role: string): UpstreamScript {
  const path = '/latest/meta-data/iam/security-credentials/';
  return (request, response) => {
    const { 'x-aws-ec2-metadata-token': token, 'x-aws-ec2-metadata-token-ttl-seconds': ttl } =
      request.headers;
    if (request.method === 'PUT') {
      const isWell =
        request.path === '/latest/api/token' && Number(ttl) > 0 && !request.headers['x-forwarded-for'];
      return void response.writeHead(isWell ? 200 : 400).end(isWell ? 'a-token==' : '');
    }
    if (token !== 'a-token==') return void response.writeHead(401).end();
    if (request.path === path) return void response.writeHead(role === '' ? 404 : 200).end(role);
    const Expiration = new Date(Date.now() + 3_600_000).toISOString();
    const body = {
      Code: 'Success',
      AccessKeyId: 'KEY',
      SecretAccessKey: 'secret',
      Token: 'session',
      Expiration,
    };
    response.writeHead(request.path === `${path}${role}` ? 200 : 404).end(JSON.stringify(body));
  };
}

test('an instance: the credentials of its role, with a token of version 2', async () => {
  const { find } = credentialsOf({ AWS_EC2_METADATA_SERVICE_ENDPOINT: endpoint.url });
  endpoint.script(metadata('gateway-role'));
  expect(await find()).toEqual({ accessKeyId: 'KEY', secretAccessKey: 'secret', sessionToken: 'session' });
  expect(endpoint.requests.map(({ method }) => method)).toEqual(['PUT', 'GET', 'GET']);
});

test('an instance without a role, one that is not to be asked, and what is no instance', async () => {
  endpoint.script(metadata(''));
  const variables = { AWS_EC2_METADATA_SERVICE_ENDPOINT: endpoint.url };
  await expect(credentialsOf(variables).find()).rejects.toThrow('No AWS credentials could be read.');
  const off = { ...variables, AWS_EC2_METADATA_DISABLED: 'true' };
  await expect(credentialsOf(off).find()).rejects.toThrow('No AWS credentials are configured.');
  const elsewhere = { AWS_EC2_METADATA_SERVICE_ENDPOINT: 'http://metadata.example.com' };
  await expect(credentialsOf(elsewhere).find()).rejects.toThrow('AWS_EC2_METADATA_SERVICE_ENDPOINT');
});

test('a container: many callers at once make one call, and the same object is given out until half of its time has passed', async () => {
  const { find, clock } = credentialsOf(container());
  endpoint.script(rotating(60, () => clock.ms));
  const found = await Promise.all(Array.from({ length: 20 }, find));
  expect(new Set(found).size).toBe(1);
  expect(found[0]).toEqual({ accessKeyId: 'KEY1', secretAccessKey: 'secret', sessionToken: 'session' });
  expect(endpoint.requests.map(({ path }) => path)).toEqual(['/v1/credentials?role=gateway']);
  clock.ms += 29_000;
  expect(await find()).toBe(found[0]);
  expect(endpoint.requests).toHaveLength(1);
  clock.ms += 2_000;
  // No caller waits while there are valid ones.
  expect(await Promise.all([find(), find()])).toEqual([found[0], found[0]]);
  await expect.poll(async () => (await find()).accessKeyId).toBe('KEY2');
  expect(endpoint.requests).toHaveLength(2);
});

test('a container: long credentials are refreshed five minutes before they expire', async () => {
  const { find, clock } = credentialsOf(container());
  endpoint.script(rotating(6 * 3_600, () => clock.ms));
  const first = await find();
  clock.ms += 6 * 3_600_000 - 301_000;
  expect(await find()).toBe(first);
  clock.ms += 2_000;
  await find();
  await expect.poll(async () => (await find()).accessKeyId).toBe('KEY2');
});

test('a container: a refresh that fails leaves the old ones in use until they expire, and is tried at most each second', async () => {
  const { find, clock, reasons } = credentialsOf(container());
  endpoint.script(rotating(60, () => clock.ms));
  const first = await find();
  endpoint.script((_request, response) => void response.writeHead(404).end('{"Code":"Gone"}'));
  clock.ms += 40_000;
  for (let count = 0; count < 20; count++) {
    expect(await find()).toBe(first);
    await sleep(5);
  }
  expect(endpoint.requests).toHaveLength(1);
  expect(reasons).toEqual(['ContainerCredentialsError']);
  clock.ms += 20_000;
  await expect(find()).rejects.toThrow('No AWS credentials could be read.');
  endpoint.script(rotating(60, () => clock.ms));
  await expect(find()).rejects.toThrow('No AWS credentials could be read.');
  clock.ms += 1_000;
  expect((await find()).accessKeyId).toBe('KEY1');
});

test('a container: a clock that is set back does not keep a process without credentials', async () => {
  const { find, clock } = credentialsOf(container());
  endpoint.script((_request, response) => void response.writeHead(404).end('{}'));
  await expect(find()).rejects.toThrow();
  clock.ms -= 3_600_000;
  endpoint.script(rotating(60, () => clock.ms));
  expect((await find()).accessKeyId).toBe('KEY1');
});

test('a container: a busy agent is asked again, three times in all', async () => {
  const { find } = credentialsOf(container());
  const answer = rotating(60);
  endpoint.script((request, response) =>
    endpoint.requests.length < 3 ? void response.writeHead(500).end() : answer(request, response),
  );
  expect((await find()).accessKeyId).toBe('KEY1');
  expect(endpoint.requests).toHaveLength(3);
});

test('a container: the token of a file is read for each call, and has precedence', async () => {
  const file = join(directory, 'pod-token');
  await writeFile(file, 'first-token\n');
  const { find, clock } = credentialsOf({
    ...container(),
    AWS_CONTAINER_AUTHORIZATION_TOKEN: 'Basic given',
    AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: file,
  });
  endpoint.script(rotating(10, () => clock.ms));
  await find();
  await writeFile(file, 'second-token');
  clock.ms += 9_500;
  await find();
  expect(endpoint.requests.map(({ headers }) => headers.authorization)).toEqual([
    'first-token',
    'second-token',
  ]);
  const given = credentialsOf({ ...container(), AWS_CONTAINER_AUTHORIZATION_TOKEN: 'Basic given' });
  await given.find();
  expect(endpoint.requests.at(-1)?.headers.authorization).toBe('Basic given');
});

const expired = new Date(Date.now() - 1_000).toISOString();
const future = new Date(Date.now() + 60_000).toISOString();
test.each([
  ['no JSON', 'keys'],
  ['null', 'null'],
  ['no key', JSON.stringify({ SecretAccessKey: 's', Token: 't', Expiration: future })],
  [
    'a line break in a token',
    JSON.stringify({ AccessKeyId: 'a', SecretAccessKey: 's', Token: 't\nx: y', Expiration: future }),
  ],
  ['no end', JSON.stringify({ AccessKeyId: 'a', SecretAccessKey: 's', Token: 't' })],
  [
    'an end in the past',
    JSON.stringify({ AccessKeyId: 'a', SecretAccessKey: 's', Token: 't', Expiration: expired }),
  ],
  ['too much', `"${'x'.repeat(maxCredentialsAnswer)}"`],
])('a container: an answer with %s gives no credentials', async (_, body) => {
  const { find, reasons } = credentialsOf(container());
  endpoint.script((_request, response) => void response.end(body));
  await expect(find()).rejects.toThrow('No AWS credentials could be read.');
  expect(reasons.join()).not.toContain(body);
  expect(reasons).toHaveLength(1);
});

test('a container: an agent that sends a byte at a time, or nothing, is left', async () => {
  const { find } = credentialsOf(container());
  endpoint.script(async (_request, response) => {
    while (!response.destroyed) {
      response.write(' ');
      await sleep(100);
    }
  });
  await expect(find()).rejects.toThrow('No AWS credentials could be read.');
}, 40_000);

test.each([
  [
    'AWS_CONTAINER_CREDENTIALS_FULL_URI',
    'http://169.254.169.254/latest/meta-data/iam/security-credentials/role',
  ],
  ['AWS_CONTAINER_CREDENTIALS_FULL_URI', 'http://example.com/'],
  ['AWS_CONTAINER_CREDENTIALS_FULL_URI', 'http://127.0.0.1.example.com/'],
  ['AWS_CONTAINER_CREDENTIALS_FULL_URI', 'ftp://127.0.0.1/'],
  ['AWS_CONTAINER_CREDENTIALS_FULL_URI', 'credentials'],
  ['AWS_CONTAINER_CREDENTIALS_RELATIVE_URI', '@example.com/'],
  ['AWS_CONTAINER_CREDENTIALS_RELATIVE_URI', '.example.com/'],
])('%s=%s is refused by name', async (name, value) => {
  await expect(credentialsOf({ [name]: value }).find()).rejects.toThrow(name);
});

const roleArn = 'arn:aws:iam::123456789012:role/gateway';

async function webIdentity(url = endpoint.url) {
  const file = join(directory, 'web-token');
  await writeFile(file, 'header.payload.signature\n');
  return { AWS_WEB_IDENTITY_TOKEN_FILE: file, AWS_ROLE_ARN: roleArn, AWS_ENDPOINT_URL_STS: url };
}

/** An answer in the form of the STS API reference. */
const assumed = (
  credentials: string,
) => `<AssumeRoleWithWebIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
  <AssumeRoleWithWebIdentityResult>
    <SubjectFromWebIdentityToken>pod</SubjectFromWebIdentityToken>
    <Credentials>${credentials}</Credentials>
  </AssumeRoleWithWebIdentityResult>
</AssumeRoleWithWebIdentityResponse>`;
const fields = `<SessionToken>FwoG/x+==</SessionToken><SecretAccessKey>s3/cret+</SecretAccessKey><Expiration>${future}</Expiration><AccessKeyId>ASIA1</AccessKeyId>`;

test('a web identity: one call of STS that is not signed', async () => {
  const sts = await startSts((response) => response.end(assumed(fields)));
  const { find } = credentialsOf(await webIdentity(sts.url));
  expect(await find()).toEqual({
    accessKeyId: 'ASIA1',
    secretAccessKey: 's3/cret+',
    sessionToken: 'FwoG/x+==',
  });
  expect(sts.calls.map(({ authorization }) => authorization)).toEqual([undefined]);
  expect(Object.fromEntries(new URLSearchParams(sts.calls[0]?.body))).toEqual({
    Action: 'AssumeRoleWithWebIdentity',
    Version: '2011-06-15',
    RoleArn: roleArn,
    RoleSessionName: 'model-gateway',
    WebIdentityToken: 'header.payload.signature',
  });
  await sts.close();
});

test.each([
  ['no credentials', assumed('')],
  ['an element twice', assumed(`${fields}<AccessKeyId>ASIA2</AccessKeyId>`)],
  ['an element in one', assumed(fields.replace('ASIA1', '<b>ASIA1</b>'))],
  ['an entity', assumed(fields.replace('ASIA1', '&key;'))],
  ['no end', assumed(fields.replace(/<Expiration>.*<\/Expiration>/, ''))],
  ['JSON', '{}'],
])('a web identity: an answer with %s gives no credentials', async (_, body) => {
  const sts = await startSts((response) => response.end(body));
  const { find } = credentialsOf(await webIdentity(sts.url));
  await expect(find()).rejects.toThrow('No AWS credentials could be read.');
  await sts.close();
});

test('a web identity: a refusal is reported by its type, never by its text', async () => {
  const error =
    '<ErrorResponse><Error><Code>InvalidIdentityToken</Code><Message>of header.payload</Message></Error></ErrorResponse>';
  const sts = await startSts((response) => response.writeHead(400).end(error));
  const { find, reasons } = credentialsOf(await webIdentity(sts.url));
  await expect(find()).rejects.toThrow('No AWS credentials could be read.');
  expect(reasons).toEqual(['InvalidIdentityToken']);
  await sts.close();
});

test('a web identity without its file is reported by the code of the system', async () => {
  const variables = { ...(await webIdentity()), AWS_WEB_IDENTITY_TOKEN_FILE: join(directory, 'none') };
  const { find, reasons } = credentialsOf(variables);
  await expect(find()).rejects.toThrow('No AWS credentials could be read.');
  expect(reasons).toEqual(['ENOENT']);
});

test('every call of AWS is signed with a key that is valid then, in real time', async () => {
  endpoint.script(rotating(3));
  const seen = new Map<string, number>();
  database.script((request, response) => {
    const key = /Credential=(KEY\d+)\//.exec(request.headers.authorization ?? '')?.[1] ?? 'none';
    seen.set(key, Date.now());
    response.end('{"Parameter":{"Value":"x"}}');
  });
  const { sign } = createFoundation(client, { AWS_REGION: 'eu-west-1', ...container() });
  const until = Date.now() + 5_000;
  while (Date.now() < until) {
    const headers = { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'Test.Get' };
    const request = { method: 'POST', url: `${database.url}/`, headers, body: '{}' } as const;
    const signed = await sign(request, { service: 'dynamodb', region: 'eu-west-1' });
    const response = await client.send(signed, {
      timeouts: { connectMs: 1_000, firstByteMs: 5_000, idleMs: 5_000 },
    });
    for await (const _ of response.body);
    await sleep(50);
  }
  expect([...seen.keys()].length).toBeGreaterThanOrEqual(3);
  expect([...seen.keys()]).toEqual([...seen.keys()].map((_, index) => `KEY${index + 1}`));
  // Each is refreshed after half of its time, at most a pause later.
  expect(endpoint.requests.length).toBeLessThanOrEqual(6);
}, 20_000);
