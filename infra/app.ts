/** The CDK app: one gateway with the given settings. */
import { App } from 'aws-cdk-lib';
import { bundlesDirectory, projectDirectory } from './build.ts';
import { makeGateway } from './gateway-app.ts';
import { readSettings, type Settings } from './settings/settings.ts';

const app = new App();

function settings(): Settings {
  try {
    return readSettings(app.node);
  } catch (error) {
    console.error(`Error: ${error instanceof Error ? error.message : error}`);
    process.exit(2);
  }
}

makeGateway(app, settings(), { bundles: bundlesDirectory, image: projectDirectory });
