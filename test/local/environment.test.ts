/** Which providers of a local gateway are real and why, and the environment of its functions. */
import { describe, expect, test } from 'vitest';
import { newApiKey } from '../../lib/core/names/api-key.ts';
import type { Variables } from '../../lib/runtime/environment.ts';
import { chooseProviders, completeEnvironment } from '../../local/environment.ts';
import { sandboxRoutes } from '../../local/providers.ts';

const endpoints = {
  sandboxUrl: 'http://127.0.0.1:1',
  databaseEndpoint: 'http://127.0.0.1:2',
  filesDirectory: '/files',
  secretFile: '/data/secret',
};
const complete = (variables: Variables) => completeEnvironment(variables, sandboxRoutes, endpoints);
const kinds = (variables: Variables) =>
  Object.fromEntries(chooseProviders(variables, sandboxRoutes).map(({ provider, kind }) => [provider, kind]));
const reasonOf = (name: string, variables: Variables) =>
  chooseProviders(variables, sandboxRoutes).find(({ provider }) => provider === name);

const account = JSON.stringify({ client_email: 'gateway@acme.example', private_key: 'example' });

describe('the providers of a local gateway', () => {
  test('are the sandbox if nothing is set, or a variable is blank', () => {
    const sandbox = Object.fromEntries(sandboxRoutes.map(({ provider }) => [provider, 'sandbox']));
    expect(kinds({})).toEqual(sandbox);
    expect(kinds({ OPENAI_API_KEY: '', GROQ_API_KEY: '  ', MISTRAL_UPSTREAM_URL: ' ' })).toEqual(sandbox);
    expect(complete({})).toMatchObject({
      OPENAI_UPSTREAM_URL: 'http://127.0.0.1:1/openai/v1',
      OPENAI_API_KEY: 'sandbox',
      GOOGLE_UPSTREAM_URL: 'http://127.0.0.1:1/google/v1beta',
      BEDROCK_UPSTREAM_URL: 'http://127.0.0.1:1/bedrock',
      BEDROCK_API_KEY: 'sandbox',
    });
  });

  test('are real with a key, and the named upstream with a URL', () => {
    const variables = { ANTHROPIC_API_KEY: 'key', GOOGLE_UPSTREAM_URL: 'http://127.0.0.1:3' };
    expect(kinds(variables)).toMatchObject({ anthropic: 'real', google: 'upstream', openai: 'sandbox' });
    const completed = complete(variables);
    for (const name of ['ANTHROPIC_API_KEY', 'ANTHROPIC_UPSTREAM_URL', 'GOOGLE_UPSTREAM_URL']) {
      expect(completed).not.toHaveProperty(name);
    }
  });

  test.each(['localhost:8000/v1', 'ftp://host/v1', 'not a url'])(
    'are not started with the invalid URL %j',
    (address) => {
      expect(() => complete({ MISTRAL_UPSTREAM_URL: address })).toThrow(
        'MISTRAL_UPSTREAM_URL must be a URL that starts with http:// or https://.',
      );
    },
  );

  test('are called without a key at an upstream that needs none', () => {
    expect(complete({ GOOGLE_UPSTREAM_URL: 'http://127.0.0.1:3' })).toMatchObject({
      GOOGLE_API_KEY: 'local',
    });
    const signed = complete({ BEDROCK_UPSTREAM_URL: 'http://127.0.0.1:3' });
    expect(signed).not.toHaveProperty('BEDROCK_API_KEY');
  });

  test.each([newApiKey(), 'mgw_abc'])('are not real with an API key of the gateway, even cut off', (key) => {
    expect(reasonOf('openai', { OPENAI_API_KEY: key })).toEqual({
      provider: 'openai',
      kind: 'sandbox',
      reason: 'OPENAI_API_KEY is an API key of this gateway',
    });
  });

  test.each([
    ['azure', { AZURE_API_KEY: 'k' }, 'AZURE_UPSTREAM_URL is missing'],
    ['self-hosted', { SELF_HOSTED_API_KEY: 'k' }, 'SELF_HOSTED_UPSTREAM_URL is missing'],
    ['google-vertex', { GOOGLE_VERTEX_CREDENTIALS: account }, 'GOOGLE_VERTEX_PROJECT is missing'],
    [
      'google-vertex',
      { GOOGLE_VERTEX_PROJECT: 'acme' },
      'GOOGLE_VERTEX_CREDENTIALS or GOOGLE_VERTEX_API_KEY is missing',
    ],
    [
      'google-vertex',
      { GOOGLE_VERTEX_CREDENTIALS: '{bad', GOOGLE_VERTEX_PROJECT: 'acme' },
      'GOOGLE_VERTEX_CREDENTIALS is not the JSON key of a service account',
    ],
    ['openai', {}, undefined],
  ])('say why %s is the sandbox with %j', (provider, variables, reason) => {
    const choice = { provider, kind: 'sandbox', ...(reason !== undefined && { reason }) };
    expect(reasonOf(provider, variables)).toEqual(choice);
  });

  test('are real when every required setting is given', () => {
    const azure = { AZURE_API_KEY: 'key', AZURE_UPSTREAM_URL: 'https://acme.openai.azure.com/openai/v1' };
    expect(kinds(azure)).toMatchObject({ azure: 'real' });
    expect(kinds({ AZURE_API_KEY: 'key' })).toMatchObject({ azure: 'sandbox' });
    const vertex = { GOOGLE_VERTEX_CREDENTIALS: account, GOOGLE_VERTEX_PROJECT: 'acme' };
    expect(kinds(vertex)).toMatchObject({ 'google-vertex': 'real' });
    expect(complete(vertex)).not.toHaveProperty('GOOGLE_VERTEX_API_KEY');
    expect(kinds({ GOOGLE_VERTEX_CREDENTIALS: account })).toMatchObject({ 'google-vertex': 'sandbox' });
    expect(complete({})).toMatchObject({ GOOGLE_VERTEX_PROJECT: 'local', GOOGLE_VERTEX_API_KEY: 'sandbox' });
  });

  test('keep their credentials at an upstream', () => {
    const proxied = { GOOGLE_VERTEX_UPSTREAM_URL: 'http://127.0.0.1:3', GOOGLE_VERTEX_CREDENTIALS: account };
    expect(kinds(proxied)).toMatchObject({ 'google-vertex': 'upstream' });
    expect(complete(proxied)).not.toHaveProperty('GOOGLE_VERTEX_API_KEY');
    expect(complete(proxied)).toMatchObject({ GOOGLE_VERTEX_PROJECT: 'local' });
  });

  test('include Bedrock with a key or with AWS credentials', () => {
    const credentials = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
    expect(kinds({ BEDROCK_API_KEY: 'key' })).toMatchObject({ bedrock: 'real' });
    expect(kinds(credentials)).toMatchObject({ bedrock: 'real', openai: 'sandbox' });
    expect(complete(credentials)).not.toHaveProperty('AWS_ACCESS_KEY_ID');
    expect(complete({})).toMatchObject({ AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' });
  });
});

test('the functions find their tables in the local database', () => {
  expect(complete({ AWS_REGION: 'eu-central-1' })).toMatchObject({
    CATALOG_TABLE: 'catalog',
    ACCESS_TABLE: 'access',
    DYNAMODB_ENDPOINT: 'http://127.0.0.1:2',
    AWS_REGION: 'eu-central-1',
  });
  expect(complete({})).toMatchObject({ AWS_REGION: 'us-east-1' });
});
