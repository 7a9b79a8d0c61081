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

const { template, text, propertiesOf } = readTemplate(Template.fromStack(makeOwnStack().stack));
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
});
