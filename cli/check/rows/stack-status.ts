/** In which state the stacks of a gateway are. Source: docs.aws.amazon.com CloudFormation, view-stack-events (status codes). */
import type { StackFacts } from '../../../infra/aws/stacks.ts';
import { adminStackName, dataStackName } from '../../../infra/names.ts';
import { type DeployedGateway, type Finding, failed, ok, type StackCheck, warning } from '../check.ts';

/** What to do in each state that is not right. */
const remedies: Readonly<Record<string, string>> = {
  ROLLBACK_COMPLETE:
    'Its creation failed: read the first failed event, delete the stack, and deploy again. "Orphan tables" shows what was left.',
  ROLLBACK_FAILED:
    'Its creation failed and so did its removal: read the events, delete the stack, and deploy again.',
  CREATE_FAILED: 'Its creation failed: read the first failed event, delete the stack, and deploy again.',
  DELETE_FAILED: 'Read the events for what could not be deleted, and delete the stack again.',
  UPDATE_ROLLBACK_COMPLETE:
    'The last deployment failed, and the one before it serves: read the first failed event, and deploy again.',
  UPDATE_ROLLBACK_FAILED:
    'Neither the last deployment nor the one before it is whole: read the events, and run aws cloudformation continue-update-rollback.',
};

const isGood = (status: string) => /^(?:CREATE|UPDATE|IMPORT)_COMPLETE$/.test(status);

export const stackStatus: StackCheck = {
  id: 'stack',
  title: 'Stack',
  of: 'stack',
  about: 'The stack of the gateway, that of its tables and that of its dashboard are whole.',
  needs: ['cloudformation:DescribeStacks'],
  async run({ gateway }) {
    const own = await gateway.facts();
    const data = await gateway.facts(dataStackName(gateway.name));
    const admin = await gateway.facts(adminStackName(gateway.name));
    if (!own) {
      const remedy = `Deploy it: npm run deploy${gateway.name === 'ModelGateway' ? '' : ` -- -c stackName=${gateway.name}`}. Check the region, too.`;
      return [failed(`there is no stack ${gateway.name} in this region.`, remedy)];
    }
    // Without a dashboard, there is no such stack.
    return [describe(own), ...describeData(data, gateway), ...(admin ? [describe(admin)] : [])];
  },
};

function describe({ name, status, reason }: StackFacts): Finding {
  if (isGood(status)) return ok(`${name} is ${status}.`);
  if (status.endsWith('_IN_PROGRESS'))
    return warning(`${name} is ${status}.`, 'Wait until it has ended, and check again.');
  const because = reason ? ` (${reason})` : '';
  const remedy = remedies[status] ?? 'Read its events in the console of CloudFormation.';
  const text = `${name} is ${status}${because}.`;
  // The gateway that was there before serves on.
  return status === 'UPDATE_ROLLBACK_COMPLETE' ? warning(text, remedy) : failed(text, remedy);
}

function describeData(data: StackFacts | undefined, { name }: DeployedGateway): readonly Finding[] {
  // Tables that were adopted need no stack.
  if (!data) return [];
  if (data.isProtected) return [describe(data)];
  const remedy = `Unless that is meant (retain=false): aws cloudformation update-termination-protection --enable-termination-protection --stack-name ${dataStackName(name)}.`;
  return [describe(data), warning(`${data.name} can be deleted by mistake.`, remedy)];
}
