/** The command `npm run policies`: prints the policy of a deployer, of CloudFormation's role, of an operator or of a viewer. */
import { parseArgs } from 'node:util';
import { policies, policyOf } from './policies.ts';

const usage = `Usage: npm run -s policies -- <${Object.keys(policies).join('|')}> --account <number> --region <region> [--stack ModelGateway] [--partition aws]`;

function main(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      account: { type: 'string' },
      region: { type: 'string' },
      stack: { type: 'string', default: 'ModelGateway' },
      partition: { type: 'string', default: 'aws' },
    },
  });
  const { account, region, stack, partition } = values;
  if (!account || !/^[0-9]{12}$/.test(account)) throw new Error('--account must have twelve digits.');
  if (!region) throw new Error('--region is missing.');
  console.log(JSON.stringify(policyOf(positionals[0] ?? '', { account, region, stack, partition }), null, 2));
}

try {
  main();
} catch (error) {
  console.error(`Error: ${error instanceof Error ? error.message : error}\n${usage}`);
  process.exitCode = 2;
}
