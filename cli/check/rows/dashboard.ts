/** Whether the dashboard answers at its address, and has someone who may do everything in it. Both only where it is deployed. */
import { adminStackName } from '../../../infra/names.ts';
import { act } from '../../../infra/tables/table-calls.ts';
import { type DeployedGateway, failed, ok, type StackCheck, warning } from '../check.ts';
import { systemCodeOf } from '../errors.ts';

const timeoutMs = 15_000;

/** Undefined without a dashboard, and where its creation has not ended: its state has a line of its own. */
const outputsOf = async (gateway: DeployedGateway) =>
  (await gateway.facts(adminStackName(gateway.name)))?.outputs;

export const dashboardAnswers: StackCheck = {
  id: 'dashboard',
  title: 'Dashboard',
  of: 'stack',
  about: 'The dashboard answers at its address.',
  needs: ['cloudformation:DescribeStacks'],
  async run({ gateway }) {
    const url = (await outputsOf(gateway))?.get('DashboardUrl');
    if (url === undefined) return [];
    try {
      const { status, headers } = await fetch(url, {
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (status === 200 && headers.get('content-type')?.startsWith('text/html')) return [ok(url)];
      const text = `GET ${url} is answered with status ${status}, and not with the dashboard.`;
      return [failed(text, 'Deploy it again; with a domain of your own, check its DNS record.')];
    } catch (error) {
      const code = systemCodeOf(error);
      const text = `${url} cannot be reached from here${code ? ` (${code})` : ''}.`;
      return [warning(text, 'With a domain of your own, check its DNS record (DashboardDomainTarget).')];
    }
  },
};

export const firstOperator: StackCheck = {
  id: 'dashboard-operator',
  title: 'Operator',
  of: 'stack',
  about: 'Someone in the user pool of the dashboard is an operator.',
  needs: ['cognito-idp:ListUsersInGroup'],
  async run({ aws, gateway }) {
    const pool = (await outputsOf(gateway))?.get('UserPoolId');
    if (pool === undefined) return [];
    const input = { UserPoolId: pool, GroupName: 'operator', Limit: 1 };
    const { Users } = await act(aws.json('cognito-idp'), 'ListUsersInGroup', input);
    if ((Users as readonly unknown[]).length > 0) return [ok(`the user pool ${pool} has one.`)];
    const remedy =
      'Deploy with -c operatorEmail=<address>, or see "First sign-in" in docs/operate/dashboard.md.';
    return [warning(`no one in the user pool ${pool} is an operator.`, remedy)];
  },
};
