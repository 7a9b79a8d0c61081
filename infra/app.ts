/** The CDK app: one gateway with the given settings, as a stack of its tables and a stack of all else. */
import { App } from 'aws-cdk-lib';
import { bundlesDirectory, projectDirectory } from './build.ts';
import { dataStackName, GatewayDataStack } from './data-stack.ts';
import { GatewayStack } from './gateway-stack.ts';
import { readSettings } from './settings/settings.ts';

const app = new App();
const { stackName, ...settings } = readSettings(app.node);
const data = new GatewayDataStack(app, dataStackName(stackName), settings);
const gateway = new GatewayStack(app, stackName, {
  ...settings,
  bundles: bundlesDirectory,
  image: projectDirectory,
  tables: data.addresses,
});
gateway.addStackDependency(data);
