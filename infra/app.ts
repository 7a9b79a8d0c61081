/** The CDK app: one gateway with the given settings. */
import { App, type Environment } from 'aws-cdk-lib';
import { bundlesDirectory, projectDirectory } from '../build/build.ts';
import { makeGateway } from './gateway-app.ts';
import { refuseUnavailable } from './settings/groups/dashboard.ts';
import { readSettings, type Settings } from './settings/settings.ts';

const app = new App();

function settings(): Settings {
  try {
    const found = readSettings(app.node);
    refuseUnavailable(found.dashboard, process.env.CDK_DEFAULT_REGION);
    return found;
  } catch (error) {
    return fail(error instanceof Error ? error.message : `${error}`);
  }
}

function fail(message: string): never {
  console.error(`Error: ${message}`);
  process.exit(2);
}

/** The CDK needs the region for replicas. Only then is it given, since a template for any region is easier to hand on. */
function environment({ replicaRegions }: Settings): Environment | undefined {
  if (replicaRegions.length === 0) return undefined;
  const { CDK_DEFAULT_ACCOUNT: account, CDK_DEFAULT_REGION: region } = process.env;
  if (account && region) return { account, region };
  return fail('The setting "replicaRegions" needs credentials and a region: AWS_PROFILE or AWS_REGION.');
}

const given = settings();
makeGateway(app, given, {
  bundles: bundlesDirectory,
  image: projectDirectory,
  env: environment(given),
});
