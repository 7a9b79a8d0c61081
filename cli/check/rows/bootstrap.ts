/** Whether the CDK's own resources are there, new enough for this project. Source: docs.aws.amazon.com CDK, bootstrapping-env. */
import { listAt, textAt } from '../../../infra/aws/read-xml.ts';
import { type AccountCheck, type CheckContext, failed, ok } from '../check.ts';
import { isDenied, isMissing } from '../errors.ts';

/** Source: aws-cdk-lib, `stack-synthesizers/default-synthesizer`, MIN_BOOTSTRAP_STACK_VERSION. */
const neededVersion = 6;

/** Of the default qualifier. */
const parameter = '/cdk-bootstrap/hnb659fds/version';

export const bootstrap: AccountCheck = {
  id: 'bootstrap',
  title: 'CDK bootstrap',
  of: 'account',
  about: "The CDK's resources for deployments are in the region, in a version that this project can use.",
  needs: ['ssm:GetParameter'],
  async run(context) {
    const { aws, identity } = context;
    const command = `npx cdk bootstrap aws://${identity.account}/${aws.region}`;
    const version = await versionOf(context);
    if (version === undefined)
      return [failed(`the CDK is not set up in ${aws.region}.`, `Run ${command} once.`)];
    if (version < neededVersion)
      return [
        failed(
          `the CDK is set up in version ${version}; ${neededVersion} is needed.`,
          `Run ${command} again.`,
        ),
      ];
    return [ok(`version ${version}.`)];
  },
};

/** The parameter; a caller who may not read it may be allowed to see the stack. */
async function versionOf({ aws }: CheckContext): Promise<number | undefined> {
  try {
    const { Parameter } = await aws.json('ssm')('AmazonSSM.GetParameter', { Name: parameter });
    return Number((Parameter as { readonly Value?: string }).Value);
  } catch (error) {
    if (isMissing(error, 'ParameterNotFound')) return undefined;
    if (!isDenied(error)) throw error;
    return await versionOfStack(aws).catch(() => Promise.reject(error));
  }
}

async function versionOfStack(aws: CheckContext['aws']): Promise<number | undefined> {
  const answer = await aws.query('cloudformation', 'DescribeStacks', { StackName: 'CDKToolkit' });
  const outputs = listAt(listAt(answer, 'Stacks')[0], 'Outputs');
  const version = outputs.find((output) => textAt(output, 'OutputKey') === 'BootstrapVersion');
  return version === undefined ? undefined : Number(textAt(version, 'OutputValue'));
}
