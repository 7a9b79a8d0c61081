/**
 * Synthesizes the stacks for tests with the feature flags of `cdk.json`, from placeholder bundles: a template does not
 * depend on the content of a bundle.
 */
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serialize } from 'node:v8';
import { App } from 'aws-cdk-lib';
import { bundles } from '../../build/build.ts';
import type { AdminStack } from '../../infra/admin-stack.ts';
import type { GatewayDataStack } from '../../infra/data-stack.ts';
import { makeGateway } from '../../infra/gateway-app.ts';
import type { GatewayStack } from '../../infra/gateway-stack.ts';
import type { DashboardSettings } from '../../infra/settings/groups/dashboard.ts';
import type { FargateSettings } from '../../infra/settings/groups/fargate.ts';
import { readSettings, type Settings } from '../../infra/settings/settings.ts';
import { builtVariable, stateOf } from '../harness/built.ts';

const configuration = join(import.meta.dirname, '../../cdk.json');

/** The settings of a stack on Fargate where no other is given. */
export const fargateDefaults: FargateSettings = {
  tasks: { min: 2, max: 10 },
  cpu: 1_024,
  memory: 2_048,
  architecture: 'arm64',
  balancer: 'public',
};

/** One of each kind, with what it has where nothing else is given. */
export const hostsByDefault = [
  { compute: 'event' },
  { compute: 'web', web: { environments: 50, concurrency: 64, originSecret: 1 } },
  { compute: 'fargate', fargate: { ...fargateDefaults, balancer: 'private' } },
] as const;

/** The settings of a dashboard where no other is given. */
export const dashboardDefaults: DashboardSettings = {
  host: 'cloudfront',
  domain: undefined,
  operatorEmail: '',
  needsTwoFactors: false,
  identityProvider: undefined,
};

export interface StackInTest {
  readonly app: App;
  /** Of the tables. Throws if there is none. */
  readonly data: GatewayDataStack;
  readonly stack: GatewayStack;
  /** Of the dashboard. Throws if there is none. */
  readonly admin: AdminStack;
}

const made = new Map<string, StackInTest>();

/**
 * The stacks of these settings, made once in a process: do not change them. Without a dashboard if none is given: a synthesis
 * takes as long as what it makes.
 */
export function makeStack(given: Partial<Settings> = {}): StackInTest {
  const key = serialize(given).toString('latin1');
  const known = made.get(key);
  if (known) return known;
  const stack = makeOwnStack(given);
  made.set(key, stack);
  return stack;
}

/** The same, for a test that changes it. */
export function makeOwnStack(given: Partial<Settings> = {}): StackInTest {
  const directory = mkdtempSync(join(stateOf(process.env[builtVariable] ?? ''), 'stack-'));
  for (const name of Object.keys(bundles)) {
    mkdirSync(join(directory, name));
    writeFileSync(join(directory, name, 'index.mjs'), `export const handler = '${name}';\n`);
  }
  mkdirSync(join(directory, 'dashboard/assets'), { recursive: true });
  writeFileSync(join(directory, 'dashboard/index.html'), '<!doctype html>');
  writeFileSync(join(directory, 'dashboard/assets/index-AAAA.js'), '');
  writeFileSync(join(directory, 'Dockerfile'), 'FROM scratch\n');
  writeFileSync(join(directory, '.dockerignore'), 'cdk.out\n');
  const { context } = JSON.parse(readFileSync(configuration, 'utf8'));
  const app = new App({
    context,
    // The rules take longer than the synthesis: rules.test.ts applies them.
    builtinCloudFormationValidation: false,
    outdir: join(directory, 'cdk.out'),
  });
  const gateway = makeGateway(
    app,
    { ...readSettings(app.node), dashboard: undefined, ...given },
    { bundles: directory, image: directory, env: undefined },
  );
  return {
    app,
    stack: gateway.stack,
    get data() {
      if (gateway.data) return gateway.data;
      throw new Error('This gateway has no stack of tables.');
    },
    get admin() {
      if (gateway.admin) return gateway.admin;
      throw new Error('This gateway has no dashboard.');
    },
  };
}
