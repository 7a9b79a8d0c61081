/** The CDK app: one gateway with the given settings, as a stack of its tables and a stack of all else. */
import { App, type Environment } from 'aws-cdk-lib';
import { bundlesDirectory, projectDirectory } from './build.ts';
import { dataStackName, GatewayDataStack } from './data-stack.ts';
import { GatewayStack } from './gateway-stack.ts';
import { readSettings } from './settings/settings.ts';

const app = new App();
const { stackName, ...settings } = readSettings(app.node);
const env = settings.replicaRegions.length > 0 ? knownEnvironment() : {};
const data = new GatewayDataStack(app, dataStackName(stackName), { ...settings, env });
const gateway = new GatewayStack(app, stackName, {
  ...settings,
  env,
  bundles: bundlesDirectory,
  image: projectDirectory,
  tables: data.addresses,
});
gateway.addStackDependency(data);

/** The CDK needs the region for replicas. Only then is it given, since a template for any region is easier to hand on. */
function knownEnvironment(): Environment {
  const { CDK_DEFAULT_ACCOUNT: account, CDK_DEFAULT_REGION: region } = process.env;
  if (account && region) return { account, region };
  throw new Error('The setting "replicaRegions" needs credentials and a region: AWS_PROFILE or AWS_REGION.');
}
