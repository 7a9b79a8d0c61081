/** What the roles may do at Bedrock: as far as the settings let requests go, and no further. */
import { App } from 'aws-cdk-lib';
import { describe, expect, test } from 'vitest';
import { readSettings, type Settings } from '../../infra/settings/settings.ts';
import { readStack } from './read-template.ts';
import { hostsByDefault } from './synthesize.ts';

const read = (context: Record<string, string>) => readSettings(new App({ context }).node).bedrock;

/** The statements of all roles about these actions, each once, with `*` for what is only known in a deployment. */
function statements(given: Partial<Settings>, about: RegExp) {
  const found = readStack(given)
    .statementsOf()
    .filter(({ Action }) => about.test(String(Action)));
  const texts = found.map(({ Resource, Condition }) => JSON.stringify({ Resource, Condition }));
  return { count: found.length, texts: [...new Set(texts)].join('\n') };
}

const bedrock = (more: Partial<Settings['bedrock']>) => ({
  bedrock: { region: '', geography: 'any', marketplace: false, ...more },
});
const arns = (text: string) =>
  [...text.matchAll(/:bedrock:([^"]*?::foundation-model\/\*)/g)].map(([, arn]) => arn);

describe('a role may call', () => {
  test('models of every region and profiles of the account, by default', () => {
    const { texts } = statements(bedrock({}), /^bedrock:Invoke/);
    expect(arns(texts)).toEqual(['*::foundation-model/*']);
    expect(texts).toContain(':inference-profile/*');
    expect(texts).toContain(':application-inference-profile/*');
  });

  test('models of the region alone, where requests stay in it', () => {
    const { texts } = statements(bedrock({ region: 'eu-west-1', geography: 'region' }), /^bedrock:Invoke/);
    expect(arns(texts)).toEqual(['eu-west-1::foundation-model/*']);
    expect(texts).toContain(':bedrock:eu-west-1:');
    const own = statements(bedrock({ geography: 'region' }), /^bedrock:Invoke/);
    expect(own.texts).toContain('"Ref":"AWS::Region"');
    expect(own.texts).not.toContain(':bedrock:*');
  });

  test('models of the regions that the profiles of an area route to', () => {
    const { texts } = statements(bedrock({ region: 'eu-west-1', geography: 'geography' }), /^bedrock:Invoke/);
    expect(arns(texts)?.map((arn) => arn?.split('::')[0])).toEqual([
      ...['eu-central-1', 'eu-north-1', 'eu-south-1', 'eu-south-2', 'eu-west-1', 'eu-west-3'],
    ]);
  });

  test('no product of the marketplace, unless Bedrock asks for it and the operator wants it', () => {
    expect(statements(bedrock({}), /marketplace/).count).toBe(0);
    for (const host of hostsByDefault) {
      const { count, texts } = statements({ ...bedrock({ marketplace: true }), ...host }, /marketplace/);
      expect(count).toBeGreaterThan(0);
      expect(JSON.parse(texts)).toEqual({
        Resource: '*',
        Condition: { StringEquals: { 'aws:CalledViaLast': 'bedrock.amazonaws.com' } },
      });
    }
  });
});

test('what calls models knows the region and the geography', () => {
  const { propertiesOf } = readStack(bedrock({ region: 'eu-west-1', geography: 'eu' }));
  const environments = propertiesOf('AWS::Lambda::Function').map(
    ({ Environment }) => Environment?.Variables ?? {},
  );
  // The function that makes the secret of the stack has no keys of callers.
  const callers = environments.filter(
    (variables) => 'PROVIDER_PARAMETERS_PREFIX' in variables && 'ACCESS_TABLE' in variables,
  );
  expect(callers.length).toBeGreaterThan(5);
  for (const variables of callers)
    expect(variables).toMatchObject({
      GATEWAY_BEDROCK_REGION: 'eu-west-1',
      GATEWAY_BEDROCK_GEOGRAPHY: 'eu',
    });
});

describe('settings', () => {
  test('have defaults that change nothing', () => {
    expect(read({})).toEqual({ region: '', geography: 'any', marketplace: false });
  });

  test.each([
    [{ bedrockRegion: 'Frankfurt' }, '"bedrockRegion" must be a region of AWS'],
    [{ bedrockGeography: 'europe' }, '"bedrockGeography" must be one of any, global, region, geography'],
    [{ bedrockGeography: 'geography' }, '"bedrockGeography" needs "bedrockRegion"'],
    [{ bedrockMarketplace: 'yes' }, '"bedrockMarketplace" must be one of true, false'],
  ])('%j: %s', (context, message) => {
    expect(() => read(context)).toThrow(message);
  });
});
