/**
 * Which providers of a local gateway are real, and what the functions find in their environment.
 */
import { describe, expect, test } from 'vitest';
import { chooseProviders, completeEnvironment, type Variables } from '../../infra/local/environment.ts';
import { sandboxRoutes } from '../../infra/local/providers.ts';
import { newApiKey } from '../../lib/core/api-key.ts';

const places = { sandboxUrl: 'http://127.0.0.1:1', databaseEndpoint: 'http://127.0.0.1:2' };
const complete = (variables: Variables) => completeEnvironment(variables, sandboxRoutes, places);
const kinds = (variables: Variables) =>
  Object.fromEntries(chooseProviders(variables, sandboxRoutes).map(({ provider, kind }) => [provider, kind]));

describe('the providers of a local gateway', () => {
  test('are the sandbox where nothing is set, also for an empty variable', () => {
    const sandbox = Object.fromEntries(sandboxRoutes.map(({ provider }) => [provider, 'sandbox']));
    expect(kinds({})).toEqual(sandbox);
    expect(kinds({ OPENAI_API_KEY: '' })).toEqual(sandbox);
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
    'are not started with the address %j, which nobody could call',
    (address) => {
      expect(() => complete({ MISTRAL_UPSTREAM_URL: address })).toThrow(
        'MISTRAL_UPSTREAM_URL must be a URL that starts with http:// or https://.',
      );
    },
  );

  test('are called without a key of theirs at an upstream that needs none', () => {
    expect(complete({ GOOGLE_UPSTREAM_URL: 'http://127.0.0.1:3' })).toMatchObject({
      GOOGLE_API_KEY: 'local',
    });
    const signed = complete({ BEDROCK_UPSTREAM_URL: 'http://127.0.0.1:3' });
    expect(signed).not.toHaveProperty('BEDROCK_API_KEY');
  });

  test("are not real by a gateway's key, which a client in the same shell was given", () => {
    expect(kinds({ OPENAI_API_KEY: newApiKey() })).toMatchObject({ openai: 'sandbox' });
  });

  test('are real when all is there that the provider needs, and the sandbox until then', () => {
    const azure = { AZURE_API_KEY: 'key', AZURE_UPSTREAM_URL: 'https://acme.openai.azure.com/openai/v1' };
    expect(kinds(azure)).toMatchObject({ azure: 'real' });
    expect(kinds({ AZURE_API_KEY: 'key' })).toMatchObject({ azure: 'sandbox' });
    const vertex = { GOOGLE_VERTEX_CREDENTIALS: '{}', GOOGLE_VERTEX_PROJECT: 'acme' };
    expect(kinds(vertex)).toMatchObject({ 'google-vertex': 'real' });
    expect(complete(vertex)).not.toHaveProperty('GOOGLE_VERTEX_API_KEY');
    expect(kinds({ GOOGLE_VERTEX_CREDENTIALS: '{}' })).toMatchObject({ 'google-vertex': 'sandbox' });
    expect(complete({})).toMatchObject({ GOOGLE_VERTEX_PROJECT: 'local', GOOGLE_VERTEX_API_KEY: 'sandbox' });
  });

  test('keep credentials of their own at an upstream', () => {
    const proxied = { GOOGLE_VERTEX_UPSTREAM_URL: 'http://127.0.0.1:3', GOOGLE_VERTEX_CREDENTIALS: '{}' };
    expect(kinds(proxied)).toMatchObject({ 'google-vertex': 'upstream' });
    expect(complete(proxied)).not.toHaveProperty('GOOGLE_VERTEX_API_KEY');
    expect(complete(proxied)).toMatchObject({ GOOGLE_VERTEX_PROJECT: 'local' });
  });

  test('include Bedrock with a key of its own or with AWS credentials', () => {
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
