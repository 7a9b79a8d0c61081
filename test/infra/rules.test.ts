/**
 * The template is checked by CloudFormation's own rules and by the AWS Solutions rules. A finding must be fixed or
 * acknowledged with a reason.
 */
import { createRequire } from 'node:module';
import { Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { afterAll, expect, test } from 'vitest';
import { adminStackName, dataStackName } from '../../infra/names.ts';
import { everyDashboard, everyHost, everything } from './everything.ts';
import { makeOwnStack, makeStack } from './synthesize.ts';

interface Diagnostic {
  readonly severity: string;
  readonly ruleId: string;
  readonly message: string;
}

/** Checks that are part of the CDK library; they are not a package of this project. */
interface TemplateRules {
  readonly CompositeEngine: new () => {
    validateTemplate(template: object): { readonly diagnostics: readonly Diagnostic[] };
    free(): void;
  };
  readonly TemplateContent: new (content: string) => object;
}

const fromLibrary = createRequire(createRequire(import.meta.url).resolve('aws-cdk-lib/package.json'));
const rules = fromLibrary('@aws/cloudformation-validate') as TemplateRules;

/** It reads its rules when it is made, which takes a second. */
const engine = new rules.CompositeEngine();
afterAll(() => engine.free());

/** A duplicate dependency, which the library adds for each function. */
const librarysOwn = 'W3005';

/** Errors and warnings; information (missing tags, replacements) is not a finding. */
function check(template: object): string[] {
  const { diagnostics } = engine.validateTemplate(new rules.TemplateContent(JSON.stringify(template)));
  const findings = diagnostics.filter(
    ({ severity, ruleId }) => severity !== 'INFO' && ruleId !== librarysOwn,
  );
  return findings.map(({ severity, ruleId, message }) => `${severity} ${ruleId}: ${message}`);
}

// The certificate of an API is one of the operator's, and no part of the stack.
const hardcodedCertificate = [
  "WARN W9002: Property 'RegionalCertificateArn' has a hardcoded ARN - use Ref, GetAtt, or a parameter instead",
  'WARN W9013: Hardcoded account ID in ARN - use AWS::AccountId pseudo-parameter',
];

const stacks = everyHost.map((host) => ({
  host: { dashboard: everyDashboard.cloudfront, ...host },
  findings: host.compute === 'fargate' ? [] : hardcodedCertificate,
}));

test.each(stacks)(
  'CloudFormation accepts the template of $host.compute',
  { timeout: 600_000 },
  ({ host, findings }) => {
    const { app } = makeStack({ ...everything, ...host });
    const assembly = app.synth();
    const [template, data] = ['ModelGateway', dataStackName('ModelGateway')].map(
      (name) => assembly.getStackByName(name).template,
    );
    const admin = assembly.getStackByName(adminStackName('ModelGateway')).template;
    expect(check(admin)).toEqual([]);
    expect(check(template)).toEqual(findings);
    expect(check(data)).toEqual([]);
    // The same checks find a fault in a wrong template.
    const found = check({ ...data, Outputs: { Wrong: { Value: { Ref: 'Nowhere' } } } });
    expect(found.join('\n')).toContain('Nowhere');
  },
);

test.each(stacks)(
  'the AWS Solutions rules find only what is acknowledged in the stack of $host.compute',
  ({ host }) => {
    const { app } = makeOwnStack({ ...everything, ...host });
    Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    expect(() => app.synth()).not.toThrow();
  },
);
