/** `npm run destroy` against an account on loopback. */
import { afterEach, describe, expect, test } from 'vitest';
import { destroy } from '../../../cli/deploy/destroy.ts';
import type { FakeStack } from '../../harness/aws/services/cloudformation.ts';
import { keepingTerminal, startAccount } from './account.ts';

const left: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of left.splice(0)) await undo();
});

const place = 'arn:aws:dynamodb:eu-west-1:123456789012:table';

function stacks(tables = 'Retain'): Record<string, FakeStack> {
  return {
    ModelGateway: {
      status: 'UPDATE_COMPLETE',
      resources: [
        ['Chat', 'AWS::Lambda::Function', 'chat'],
        ['Models', 'AWS::Lambda::Function', 'models'],
        ['Logs', 'AWS::Logs::LogGroup', 'ModelGateway-ChatLogs-1A2B'],
        ['Role', 'AWS::IAM::Role', 'ModelGateway-ApiRole-1A2B'],
      ],
      template: {
        Resources: {
          Chat: { Type: 'AWS::Lambda::Function' },
          Models: { Type: 'AWS::Lambda::Function' },
          Logs: { Type: 'AWS::Logs::LogGroup', DeletionPolicy: 'RetainExceptOnCreate' },
          Role: { Type: 'AWS::IAM::Role', DeletionPolicy: 'Retain' },
        },
      },
    },
    ModelGatewayData: {
      status: 'CREATE_COMPLETE',
      isProtected: true,
      outputs: {
        UsageTableArn: `${place}/Usage`,
        UsageStreamArn: `${place}/Usage/stream/1`,
        AccessTableArn: `${place}/Access`,
      },
      resources: [['Usage', 'AWS::DynamoDB::GlobalTable', 'Usage']],
      template: { Resources: { Usage: { Type: 'AWS::DynamoDB::GlobalTable', DeletionPolicy: tables } } },
    },
  };
}

async function run(words: readonly string[], { found = stacks(), answer = '' } = {}) {
  const account = await startAccount(found);
  left.push(account.aws.close);
  const terminal = keepingTerminal(answer);
  const code = await destroy(words, { terminal, open: account.open, pauseMs: 1 });
  const statuses = Object.fromEntries(
    Object.entries(account.stacks).map(([name, { status }]) => [name, status]),
  );
  return { code, text: terminal.lines.join('\n'), statuses, actions: account.actions() };
}

test('shows what goes and what stays, and removes nothing without the name of the stack', async () => {
  const { code, text, statuses } = await run([], { answer: 'yes\n' });
  expect(code).toBe(1);
  expect(text).toContain('goes:  2 AWS::Lambda::Function');
  expect(text).toContain('stays: AWS::Logs::LogGroup ModelGateway-ChatLogs-1A2B');
  expect(text).toContain('nothing was removed');
  expect(statuses).toEqual({ ModelGateway: 'UPDATE_COMPLETE', ModelGatewayData: 'CREATE_COMPLETE' });
});

test('removes the gateway and leaves its tables in their stack, which stays protected', async () => {
  const { code, text, statuses, actions } = await run([], { answer: 'ModelGateway\n' });
  expect(code).toBe(0);
  expect(statuses).toEqual({ ModelGateway: 'DELETE_COMPLETE', ModelGatewayData: 'CREATE_COMPLETE' });
  expect(actions).not.toContain('UpdateTerminationProtection');
  expect(text).toContain('The tables stay in the stack ModelGatewayData');
  expect(text).toContain('aws logs delete-log-group --log-group-name ModelGateway-ChatLogs-1A2B');
  expect(text).toContain('# AWS::IAM::Role ModelGateway-ApiRole-1A2B');
  expect(text).toContain('aws ssm get-parameters-by-path --path /ModelGateway/providers');
});

test('removes the stack of the tables after it when asked to, and names the way back', async () => {
  const { code, text, statuses, actions } = await run(['--tables', '--yes']);
  expect({ code, statuses }).toEqual({
    code: 0,
    statuses: { ModelGateway: 'DELETE_COMPLETE', ModelGatewayData: 'DELETE_COMPLETE' },
  });
  const changes = actions.filter((action) => /^(Delete|Update)/.test(action));
  expect(changes).toEqual(['DeleteStack', 'UpdateTerminationProtection', 'DeleteStack']);
  expect(text).toContain(
    `npm run deploy -- -c tables.usage=${place}/Usage -c tables.usageStream=${place}/Usage/stream/1 -c tables.access=${place}/Access`,
  );
  expect(text).toContain('aws dynamodb update-table --table-name Usage --no-deletion-protection-enabled');
});

test('offers no way back to tables that are deleted', async () => {
  const { text } = await run(['--tables', '--yes'], { found: stacks('Delete') });
  expect(text).toContain('goes:  1 AWS::DynamoDB::GlobalTable');
  expect(text).not.toContain('tables.usage');
});

test('takes the name of the stack from the settings, and fails where there is none', async () => {
  const { code, text } = await run(['-c', 'stackName=Other', '--yes']);
  expect(code).toBe(1);
  expect(text).toContain('There is no stack Other in eu-west-1.');
});

test('reports what CloudFormation could not delete', async () => {
  const found = stacks();
  if (found.ModelGateway) found.ModelGateway.reason = 'The role is in use.';
  const { code, text } = await run(['--yes'], { found });
  expect(code).toBe(1);
  expect(text).toContain('was not deleted: The role is in use.');
});

test.each([['ModelGateway'], ['--stack', 'Other'], ['--stackName=Other'], ['--dry-run']])(
  'removes nothing for words that it does not know: %s',
  async (...words) => {
    const { code, text, statuses, actions } = await run([...words, '--yes', '--tables']);
    expect({ code, actions }).toEqual({ code: 2, actions: [] });
    expect(text).toContain(`Unknown: ${words[0]}.`);
    expect(statuses).toEqual({ ModelGateway: 'UPDATE_COMPLETE', ModelGatewayData: 'CREATE_COMPLETE' });
  },
);

test('ends with a usage error for a setting without a value, and looks in the region that is typed', async () => {
  expect((await run(['-c', 'stackName'])).code).toBe(2);
  const other = await run(['--region=us-east-1', '--profile', 'dev', '-c', 'stackName=Other', '--yes']);
  expect(other.text).toContain('There is no stack Other in us-east-1.');
});

describe('a gateway with a dashboard', () => {
  const withDashboard = (): Record<string, FakeStack> => ({
    ...stacks(),
    ModelGatewayAdmin: {
      status: 'CREATE_COMPLETE',
      resources: [
        ['Overview', 'AWS::Lambda::Function', 'overview'],
        ['Pool', 'AWS::Cognito::UserPool', 'eu-west-1_AbCd'],
      ],
      template: {
        Resources: {
          Overview: { Type: 'AWS::Lambda::Function' },
          Pool: { Type: 'AWS::Cognito::UserPool', DeletionPolicy: 'Retain' },
        },
      },
    },
  });

  test('goes with it, the dashboard first', async () => {
    const { code, text, statuses } = await run(['--yes'], { found: withDashboard() });
    expect({ code, statuses }).toEqual({
      code: 0,
      statuses: {
        ModelGateway: 'DELETE_COMPLETE',
        ModelGatewayAdmin: 'DELETE_COMPLETE',
        ModelGatewayData: 'CREATE_COMPLETE',
      },
    });
    expect(text.indexOf('Removing ModelGatewayAdmin')).toBeLessThan(text.indexOf('Removing ModelGateway …'));
    expect(text).toContain('aws cognito-idp delete-user-pool --user-pool-id eu-west-1_AbCd');
  });

  test('loses the dashboard alone when asked to, and keeps all else', async () => {
    const { code, text, statuses } = await run(['--dashboard', '--yes'], { found: withDashboard() });
    expect({ code, statuses }).toEqual({
      code: 0,
      statuses: {
        ModelGateway: 'UPDATE_COMPLETE',
        ModelGatewayAdmin: 'DELETE_COMPLETE',
        ModelGatewayData: 'CREATE_COMPLETE',
      },
    });
    expect(text).toContain('-c dashboard=false');
    expect(text).not.toContain('/ModelGateway/providers');
  });

  test('is refused both at once: the dashboard alone, and the tables', async () => {
    const { code, actions } = await run(['--dashboard', '--tables', '--yes'], { found: withDashboard() });
    expect({ code, actions }).toEqual({ code: 2, actions: [] });
  });

  test('there is none to remove', async () => {
    const { code, text } = await run(['--dashboard', '--yes']);
    expect(code).toBe(1);
    expect(text).toContain('There is no stack ModelGatewayAdmin in eu-west-1.');
  });
});

test('names no stack of tables where all are adopted', async () => {
  const { ModelGateway } = stacks();
  const { code, text } = await run(['--yes'], { found: ModelGateway ? { ModelGateway } : {} });
  expect(code).toBe(0);
  expect(text).toContain('The tables are of no stack of this gateway: they stay as they are.');
});

test('removes a stack whose first change set was not carried out', async () => {
  const found: Record<string, FakeStack> = { ModelGateway: { status: 'REVIEW_IN_PROGRESS' } };
  const { code, statuses } = await run(['--yes'], { found });
  expect({ code, statuses }).toEqual({ code: 0, statuses: { ModelGateway: 'DELETE_COMPLETE' } });
});
