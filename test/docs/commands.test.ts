/**
 * The command lines of the pages for operators. Those of the command line of the gateway run on a stand-in for AWS, and those of the cost
 * model run as they are. A line that needs an account says so, and its words are checked as far as they are ours.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startDatabase } from '../../local/database.ts';
import { cost } from '../cost/run-cost.ts';
import { healthyAccount, region, servicesOf } from '../harness/aws/account.ts';
import { type FakeAws, operator, startFakeAws } from '../harness/aws/fake-aws.ts';
import { startTestGateway } from '../harness/gateways/gateway.ts';
import { newDirectory } from '../harness/new-directory.ts';
import { runCommand } from '../harness/operator-command.ts';
import { use } from '../harness/use.ts';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/operate/operations.md'), 'utf8');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

interface Line {
  readonly text: string;
  readonly needsAccount: boolean;
}

const linesOf = (text: string): readonly Line[] =>
  Array.from(text.matchAll(/^```sh\n([\s\S]*?)^```/gm)).flatMap(([, block = '']) =>
    block
      .split('\n')
      .filter(Boolean)
      .map((line) => {
        const [command = '', remark] = line.split(/ +# /);
        return { text: command.trim(), needsAccount: remark === 'account' };
      }),
  );

const lines = linesOf(page);

const isOfGateway = ({ text, needsAccount }: Line) => !needsAccount && text.startsWith('npm run gateway -- ');
const gatewayLines = lines.filter(isOfGateway);
/** Those on AWS; others have a test beside the local gateway. */
const readmeLines = ['README.md', 'docs/laptop.md', 'docs/operate/deploy.md']
  .flatMap((path) => linesOf(readFileSync(join(root, path), 'utf8')))
  .filter((line) => isOfGateway(line) && /--stack|--account/.test(line.text));
const serviceAccount = JSON.stringify({ client_email: 'gateway@acme.example', private_key: 'a key' });

const costLines = lines.filter(({ text }) => text.startsWith('npm run cost -- '));

test('every line runs in a test, or says that it needs an account', () => {
  const tested = new Set([...gatewayLines, ...costLines]);
  const others = lines.filter((line) => !tested.has(line));
  expect(others.filter(({ needsAccount }) => !needsAccount).map(({ text }) => text)).toEqual([
    'git checkout <the release before>',
  ]);
  expect(lines.filter(({ needsAccount }) => needsAccount).length).toBeGreaterThan(2);
});

test('every npm script that the page names exists', () => {
  const named = Array.from(page.matchAll(/npm run ([\w:-]+)/g), ([, name = '']) => name);
  expect([...new Set(named)].filter((name) => !(name in scripts))).toEqual([]);
});

describe('on a gateway in AWS', () => {
  const directory = newDirectory();
  let aws: FakeAws;

  const database = use(() => startDatabase({ dataDirectory: directory }));
  const gateway = use(() => startTestGateway({}, { database }));
  beforeAll(async () => {
    const account = healthyAccount(`${gateway.url}/v1`);
    const { Gateway } = account.stacks;
    if (Gateway) account.stacks.ModelGateway = Gateway;
    aws = await startFakeAws({ services: servicesOf(account, database.endpoint) });
    vi.stubEnv('AWS_ACCESS_KEY_ID', operator.accessKeyId);
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', operator.secretAccessKey);
  });

  afterAll(async () => {
    vi.unstubAllEnvs();
    await aws?.close();
  });

  // In their order: a key needs its tenant.
  test.each([...gatewayLines, ...readmeLines])('$text', async ({ text }) => {
    const typed = text.replace('npm run gateway -- ', '').replace(/ < \S+$/, '');
    const { code, stderr } = await runCommand(directory, typed, {
      input: text.endsWith('.json') ? serviceAccount : 'sk-of-a-provider',
      variables: { AWS_REGION: region, AWS_ENDPOINT_URL: aws.url, GATEWAY_API_KEY: gateway.apiKey },
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining('Error') });
  });
});

test.each(costLines)('$text', ({ text }) => {
  expect(cost(text.replace('npm run cost -- ', '')).code).toBe(0);
});
