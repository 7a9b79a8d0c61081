/** The CDK app: one gateway with the given settings. */
import { App } from 'aws-cdk-lib';
import { bundlesDirectory, projectDirectory } from './build.ts';
import { GatewayStack } from './gateway-stack.ts';
import { readSettings } from './settings.ts';

const app = new App();
const { stackName, ...settings } = readSettings(app.node);
new GatewayStack(app, stackName, { bundles: bundlesDirectory, image: projectDirectory, ...settings });
