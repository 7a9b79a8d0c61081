/**
 * Synthesizes the stack for tests with the feature flags of `cdk.json`, from placeholder bundles: a template does not
 * depend on the content of a bundle.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { bundles } from '../../infra/build.ts';
import type { FargateSettings } from '../../infra/fargate-settings.ts';
import { GatewayStack, type GatewayStackProps } from '../../infra/gateway-stack.ts';

const configuration = join(import.meta.dirname, '../../cdk.json');

/** The settings of a stack on Fargate where no other is given. */
export const fargateDefaults: FargateSettings = {
  tasks: { min: 2, max: 10 },
  cpu: 1_024,
  memory: 2_048,
  architecture: 'arm64',
  balancer: 'public',
};

export interface StackInTest {
  readonly app: App;
  readonly stack: GatewayStack;
  /** Removes the files of the synthesis. */
  remove(): void;
}

export function makeStack(props: Partial<GatewayStackProps> = {}): StackInTest {
  const directory = mkdtempSync(join(tmpdir(), 'gateway-stack-'));
  for (const name of Object.keys(bundles)) {
    mkdirSync(join(directory, name));
    writeFileSync(join(directory, name, 'index.mjs'), `export const handler = '${name}';\n`);
  }
  writeFileSync(join(directory, 'Dockerfile'), 'FROM scratch\n');
  writeFileSync(join(directory, '.dockerignore'), 'cdk.out\n');
  const { context } = JSON.parse(readFileSync(configuration, 'utf8'));
  const app = new App({ context, outdir: join(directory, 'cdk.out') });
  const stack = new GatewayStack(app, 'ModelGateway', {
    bundles: directory,
    image: directory,
    retain: true,
    throttle: { rate: 1000, burst: 500 },
    ledgerDays: 90,
    cacheSeconds: 3600,
    memory: 512,
    corsOrigins: [],
    alertMail: '',
    exportBucket: '',
    exportFormat: 'focus',
    logLevel: 'INFO',
    openThrottle: { rate: 100, burst: 100 },
    reservedConcurrency: new Map(),
    kmsKeyArn: '',
    responseRecovery: true,
    domain: undefined,
    compute: 'event',
    web: undefined,
    fargate: undefined,
    ...props,
  });
  return { app, stack, remove: () => rmSync(directory, { recursive: true }) };
}
