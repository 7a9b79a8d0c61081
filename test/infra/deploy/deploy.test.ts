/** `npm run deploy` against an account on loopback, with a stand-in for the CDK that writes the templates of a real synthesis. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { deploy } from '../../../cli/deploy/deploy.ts';
import { givenSettings, writeSettings } from '../../../infra/settings/given.ts';
import type { FakeStack } from '../../harness/aws/services/cloudformation.ts';
import { keepingTerminal, startAccount } from './account.ts';

const left: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of left.splice(0)) await undo();
});

const deployedWith = (settings: Record<string, string>): FakeStack => ({
  status: 'UPDATE_COMPLETE',
  outputs: { Settings: writeSettings(new Map(Object.entries(settings))) },
});

/** Runs the command; the CDK's place is taken by code that writes what the given settings would synthesize to. */
async function run(
  words: readonly string[],
  stacks: Record<string, FakeStack> = {},
  options = { denied: false },
) {
  const output = mkdtempSync(join(tmpdir(), 'gateway-deploy-'));
  const account = await startAccount(stacks);
  left.push(() => rmSync(output, { recursive: true }), account.aws.close);
  if (options.denied) account.aws.faults.add('cloudformation:*', 'denied');
  const terminal = keepingTerminal();
  const commands: (readonly string[])[] = [];
  const code = await deploy(words, {
    terminal,
    output,
    open: account.open,
    build: async () => 0,
    async cdk(parameters) {
      commands.push(parameters);
      if (parameters[0] === 'synth') synthesize(output, parameters);
      return 0;
    },
  });
  return { code, text: terminal.lines.join('\n'), commands, account };
}

function synthesize(output: string, parameters: readonly string[]): void {
  const context = parameters.flatMap((word, index) =>
    parameters[index - 1] === '-c' ? [word.split(/=(.*)/s, 2)] : [],
  );
  const settings = writeSettings(givenSettings(Object.fromEntries(context)));
  const artifacts = {
    ModelGatewayData: { type: 'aws:cloudformation:stack', properties: { templateFile: 'data.json' } },
    ModelGateway: { type: 'aws:cloudformation:stack', properties: { templateFile: 'gateway.json' } },
    ...(parameters.includes('dashboard=false')
      ? {}
      : {
          ModelGatewayAdmin: { type: 'aws:cloudformation:stack', properties: { templateFile: 'admin.json' } },
        }),
  };
  writeFileSync(join(output, 'manifest.json'), JSON.stringify({ artifacts }));
  writeFileSync(join(output, 'data.json'), '{}');
  writeFileSync(join(output, 'admin.json'), '{}');
  writeFileSync(join(output, 'gateway.json'), JSON.stringify({ Outputs: { Settings: { Value: settings } } }));
}

const hasDeployed = ({ commands }: { commands: readonly (readonly string[])[] }) =>
  commands.some(([command]) => command === 'deploy');

describe('a deployment', () => {
  test('of a new stack shows its settings, and gives the CDK what is meant for it', async () => {
    const made = await run(['-c', 'ledgerDays=400', '--context=memory=1024', '--require-approval', 'never']);
    expect(made.code).toBe(0);
    expect(made.text).toContain('There is no such stack yet');
    expect(made.text).toMatch(/ledgerDays +90 \(default\) +400/);
    expect(made.commands[1]).toEqual(
      expect.arrayContaining(['deploy', '--all', '--require-approval', 'never']),
    );
    expect(made.commands[1]).not.toContain('--reset-settings');
  });

  test('that changes a setting shows the value before and after', async () => {
    const made = await run(['-c', 'throttleRate=200'], {
      ModelGateway: deployedWith({ throttleRate: '50' }),
    });
    expect(made.text).toMatch(/throttleRate +50 +200/);
    expect(hasDeployed(made)).toBe(true);
  });

  test('that changes none says so', async () => {
    const made = await run(['-c', 'throttleRate=50'], { ModelGateway: deployedWith({ throttleRate: '50' }) });
    expect(made.text).toContain('No setting changes.');
  });

  test('that would take a setting back is stopped, with the command that keeps it', async () => {
    const stacks = { ModelGateway: deployedWith({ ledgerDays: '400', tags: "team=a b,who='s" }) };
    const made = await run(['-c', 'memory=1024', '--require-approval', 'never'], stacks);
    expect(made.code).toBe(1);
    expect(hasDeployed(made)).toBe(false);
    expect(made.text).toMatch(/ledgerDays +400 +90 \(default\)/);
    expect(made.text).toContain(
      `npm run deploy -- -c memory=1024 -c ledgerDays=400 -c 'tags=team=a b,who='\\''s' --require-approval never`,
    );
  });

  test('takes it back when asked to', async () => {
    const made = await run(['--reset-settings'], { ModelGateway: deployedWith({ ledgerDays: '400' }) });
    expect(made.code).toBe(0);
    expect(hasDeployed(made)).toBe(true);
  });

  test('does not stop for a setting that was deployed as its default', async () => {
    const made = await run([], { ModelGateway: deployedWith({ ledgerDays: '90' }) });
    expect({ code: made.code, deployed: hasDeployed(made) }).toEqual({ code: 0, deployed: true });
  });

  test('that would leave a restored table is stopped', async () => {
    const arn = 'arn:aws:dynamodb:eu-west-1:123456789012:table/Access';
    const made = await run([], { ModelGateway: deployedWith({ 'tables.access': arn }) });
    expect(made.code).toBe(1);
    expect(made.text).toContain(`-c tables.access=${arn}`);
  });

  test('keeps a setting under the name that it has now', async () => {
    const made = await run([], { ModelGateway: deployedWith({ alertMail: 'ops@example.com', gone: '1' }) });
    expect(made.code).toBe(1);
    expect(made.text).toContain('-c alarmEmail=ops@example.com');
    expect(made.text).toContain('This version has no setting gone.');
  });

  test('of a version that did not state its settings says that they are not compared', async () => {
    const made = await run([], { ModelGateway: { status: 'UPDATE_COMPLETE', outputs: {} } });
    expect(made.text).toContain('not compared');
    expect(hasDeployed(made)).toBe(true);
  });

  test('stops where the account cannot be read, unless settings may go back', async () => {
    const stopped = await run([], {}, { denied: true });
    expect({ code: stopped.code, deployed: hasDeployed(stopped) }).toEqual({ code: 1, deployed: false });
    expect(stopped.text).toContain('What is deployed cannot be read');
    expect(hasDeployed(await run(['--reset-settings'], {}, { denied: true }))).toBe(true);
  });

  test('says what counts where the command line and the file differ', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'gateway-config-')), 'prod.json');
    left.push(() => rmSync(join(file, '..'), { recursive: true }));
    writeFileSync(file, JSON.stringify({ ledgerDays: 400, memory: 1024 }));
    const made = await run(['-c', `config=${file}`, '-c', 'ledgerDays=30', '-c', 'memory=1024']);
    expect(made.text).toContain(`ledgerDays: 30 on the command line counts, not 400 in ${file}.`);
    expect(made.text).not.toContain('memory: 1024 on');
    expect(made.text).toMatch(/memory +256 \(default\) +1024/);
  });

  test.each(['-cledgerDays=400', '-c=ledgerDays=400', '--context=ledgerDays=400'])(
    'takes %s as the CDK does',
    async (word) => {
      expect((await run([word])).text).toMatch(/ledgerDays +90 \(default\) +400/);
    },
  );

  test('compares in the region that is typed for the CDK', async () => {
    const made = await run(['--region', 'us-east-1']);
    expect(made.text).toContain('Settings of ModelGateway in us-east-1');
    for (const command of made.commands)
      expect(command).toEqual(expect.arrayContaining(['--region', 'us-east-1']));
  });

  test.each(['REVIEW_IN_PROGRESS', 'ROLLBACK_COMPLETE'])('takes a stack in %s as none', async (status) => {
    const made = await run(['-c', 'ledgerDays=400'], { ModelGateway: { status } });
    expect(made.text).toContain('There is no such stack yet');
    expect(hasDeployed(made)).toBe(true);
  });

  test('with a wrong option ends with a usage error', async () => {
    expect((await run(['-c', 'ledgerDays'])).code).toBe(2);
  });
});

test('leaving out a dashboard that is deployed names the command that removes it', async () => {
  const ModelGatewayAdmin: FakeStack = { status: 'CREATE_COMPLETE' };
  const made = await run(['-c', 'dashboard=false'], { ModelGateway: deployedWith({}), ModelGatewayAdmin });
  expect(made.text).toContain('ModelGatewayAdmin stays until it is removed: npm run destroy -- --dashboard');
  expect(hasDeployed(made)).toBe(true);
  const kept = await run([], { ModelGateway: deployedWith({}), ModelGatewayAdmin });
  expect(kept.text).not.toContain('--dashboard');
});

test('the dashboard of CloudWatch, which had another setting, is kept under its new name', async () => {
  const stacks = { ModelGateway: deployedWith({ dashboard: 'on' }) };
  const stopped = await run([], stacks);
  expect(stopped.text).toContain('npm run deploy -- -c cloudWatchDashboard=on');
  const made = await run(['-c', 'cloudWatchDashboard=on'], stacks);
  expect(made.text).toContain('No setting changes.');
});

describe('tables that take the place of those of the stack', () => {
  const place = (region: string) => `arn:aws:dynamodb:${region}:123456789012:table`;
  const data = (isProtected: boolean): FakeStack => ({
    status: 'CREATE_COMPLETE',
    isProtected,
    outputs: { AccessTableArn: `${place('eu-west-1')}/Old`, UsageTableArn: `${place('eu-west-1')}/Usage` },
  });
  const adopt = (region: string) => ['-c', `tables.access=${place(region)}/New`];

  test('leave those behind, or delete them where nothing is retained: both is shown', async () => {
    const kept = await run(adopt('eu-west-1'), {
      ModelGateway: deployedWith({}),
      ModelGatewayData: data(true),
    });
    expect(kept.text).toContain('The table Old is not used any more. It stays in the account');
    expect(kept.text).not.toContain('table Usage');
    const passing = await run(adopt('eu-west-1'), {
      ModelGateway: deployedWith({}),
      ModelGatewayData: data(false),
    });
    expect(passing.text).toContain('The table Old is not used any more, and is DELETED');
  });

  test('must be in the region of the stack', async () => {
    const made = await run(adopt('us-east-1'), { ModelGateway: deployedWith({}) });
    expect({ code: made.code, deployed: hasDeployed(made) }).toEqual({ code: 2, deployed: false });
  });
});

test('what a creation that failed has left does not block the next one', async () => {
  const failed: FakeStack = { status: 'ROLLBACK_COMPLETE', isProtected: true };
  const made = await run([], { ModelGatewayData: failed });
  expect(made.account.stacks.ModelGatewayData?.isProtected).toBe(false);
  expect(made.text).toContain('The creation of ModelGatewayData failed before');
  expect(hasDeployed(made)).toBe(true);
  const whole = await run([], { ModelGatewayData: { status: 'CREATE_COMPLETE', isProtected: true } });
  expect(whole.account.stacks.ModelGatewayData?.isProtected).toBe(true);
});
