/** Provider keys are only in the parameter store: no resource of the stack contains one. */
import { Template } from 'aws-cdk-lib/assertions';
import { afterAll, describe, expect, test } from 'vitest';
import { variableOf } from '../../lib/core/provider-settings.ts';
import { providers } from '../../lib/providers/all-providers.ts';
import { settingsOf } from '../../lib/providers/provider.ts';
import { readTemplate } from './read-template.ts';
import { makeOwnStack } from './synthesize.ts';

/** Variables that may be set in the environment of a deployment. */
const own = [...providers.values()].flatMap((provider) => {
  const { account, settings } = settingsOf(provider);
  return settings.map((setting) => variableOf(account, setting));
});
for (const name of own) process.env[name] = `secret-of-${name}`;

const { template, text, propertiesOf, statementsOf } = readTemplate(Template.fromStack(makeOwnStack().stack));
afterAll(() => {
  for (const name of own) delete process.env[name];
});

describe('keys of providers', () => {
  test('are not in the template, even if they are set in the environment of the deployment', () => {
    expect(own).toContain('OPENAI_API_KEY');
    expect(own).toContain('GOOGLE_VERTEX_CREDENTIALS');
    expect(text).not.toContain('secret-of-');
  });

  test('are not a variable of any function', () => {
    const known = propertiesOf('AWS::Lambda::Function').flatMap(({ Environment }) =>
      Object.keys(Environment?.Variables ?? {}),
    );
    expect(known).toContain('PROVIDER_PARAMETERS_PREFIX');
    // The stack's own bucket and role.
    expect(known.filter((name) => own.includes(name) && !name.includes('_BATCH_'))).toEqual([]);
    expect(known.filter((name) => /_KEY$|SECRET|TOKEN|PASSWORD|CREDENTIALS/.test(name))).toEqual([]);
  });

  test('are not read by a deployment: no parameter is created or referenced', () => {
    template.resourceCountIs('AWS::SSM::Parameter', 0);
    expect(text).not.toMatch(/resolve:(ssm|secretsmanager)/);
    const read = Object.entries(template.findParameters('*')).filter(([, { Type }]) => Type.includes('SSM'));
    // The version of the bootstrap stack.
    expect(read.map(([name]) => name)).toEqual(['BootstrapVersion']);
  });

  test('can be read together at the path of this stack; none can be written, listed or deleted but the secret of the stack', () => {
    const actions = statementsOf().flatMap(({ Action, Resource }) =>
      [Action].flat().map((action) => [action, JSON.stringify(Resource)] as const),
    );
    const onParameters = actions.filter(([action]) => action.startsWith('ssm:'));
    expect(onParameters.length).toBeGreaterThan(2);
    const read = onParameters.filter(([action]) => action === 'ssm:GetParametersByPath');
    // On the path itself: AWS refuses the action to who may only use what is below it.
    for (const [, on] of read) expect(on).toContain(':parameter/ModelGateway/providers"');
    const others = onParameters.filter((one) => !read.includes(one));
    expect(others).toEqual([
      ['ssm:PutParameter', expect.stringContaining(':parameter/ModelGateway/providers/gateway/secret"')],
    ]);
    expect(actions.filter(([action]) => action === '*' || action.startsWith('kms:'))).toEqual([]);
  });
});
