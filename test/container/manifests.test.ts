/** compose.yaml and the example for Kubernetes: they are sound, and name only what there is. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { programs } from '../../build/build.ts';
import { variableOf } from '../../lib/core/provider-settings.ts';
import { tableNames, tables } from '../../lib/core/tables.ts';
import { providers } from '../../lib/providers/all-providers.ts';
import { settingsOf } from '../../lib/providers/provider.ts';
import { readSettings } from '../../server/settings.ts';
import { root } from './dockerfile.ts';

// The parser that the CDK brings.
const cdk = createRequire(createRequire(import.meta.url).resolve('aws-cdk-lib/package.json'));
const yaml: {
  parseAllDocuments(
    text: string,
    options: object,
  ): readonly { readonly errors: readonly Error[]; toJSON(): Tree }[];
} = cdk('yaml');

// biome-ignore lint/suspicious/noExplicitAny: a parsed file of any form
type Tree = any;

function parse(path: string): readonly Tree[] {
  const documents = yaml.parseAllDocuments(readFileSync(join(root, path), 'utf8'), { merge: true });
  expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
  return documents.map((document) => document.toJSON());
}

/** Everything that a program of the image reads. */
const sources = ['server/settings.ts', 'lib/runtime/environment.ts'].map((path) =>
  readFileSync(join(root, path), 'utf8'),
);
const ofProviders = new Set(
  [...providers.values()].flatMap((provider) => {
    const { account, settings } = settingsOf(provider);
    return settings.map((setting) => variableOf(account, setting));
  }),
);
const isKnown = (name: string) =>
  ofProviders.has(name) || sources.some((text) => new RegExp(`\\b${name}\\b`).test(text));

const tableVariables = tableNames.map((name) => tables[name].environmentVariable);

/** Of a program of the image; without any, of the server. */
function expectProgram(parameters: readonly string[] = ['/app/server/index.mjs']): void {
  const [, , name = '', file] = (parameters[0] ?? '').split('/');
  expect(Object.keys(programs)).toContain(name);
  expect(file).toBe('index.mjs');
}

describe('compose.yaml', () => {
  const [compose] = parse('compose.yaml');
  const { database, ...own } = compose.services;

  test('needs no file beside the project, and only the database and what stores files have a volume', () => {
    expect(database.image).toMatch(/^[\w-]+\/[\w-]+:\d[\w.]*$/);
    for (const [source] of database.volumes.map((volume: string) => volume.split(':')))
      expect(Object.keys(compose.volumes)).toContain(source);
    expect(own.setup.build).toBe('.');
    for (const service of Object.values<Tree>(own)) {
      for (const volume of service.volumes ?? []) expect(volume).toBe('files:/files');
      expect(service.image).toBe(own.setup.image);
    }
  });

  test.each(Object.keys(own))('%s has no rights and no file to write to', (name) => {
    expect(own[name]).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
    expect(own[name].privileged).toBeUndefined();
  });

  test('names only variables that are read, and no secret', () => {
    for (const { environment } of Object.values<Tree>(own)) {
      expect(Object.keys(environment)).toEqual(
        expect.arrayContaining([...tableVariables, 'AWS_REGION', 'DYNAMODB_ENDPOINT']),
      );
      expect(Object.keys(environment).filter((name) => !isKnown(name))).toEqual([]);
      for (const [name, value] of Object.entries(environment))
        if (name.endsWith('_KEY')) expect(value).toBe(`\${${name}:-}`);
    }
  });

  test('waits: for the database, then for the setup, which ends', () => {
    expect(own.setup.depends_on.database.condition).toBe('service_healthy');
    expect(database.healthcheck.test.join(' ')).toContain(
      new URL(own.setup.environment.DYNAMODB_ENDPOINT).port,
    );
    expectProgram(own.setup.entrypoint.slice(1));
    for (const name of ['gateway', 'aggregator']) {
      expect(own[name].depends_on.setup.condition).toBe('service_completed_successfully');
      expectProgram(own[name].command);
    }
  });

  test('gives the gateway time to drain, at an address of this machine only', () => {
    const { drainMs } = readSettings(own.gateway.environment);
    expect(Number.parseInt(own.gateway.stop_grace_period, 10) * 1_000).toBeGreaterThan(drainMs + 8_000);
    for (const port of own.gateway.ports) expect(port).toMatch(/^127\.0\.0\.1:\d+:8080$/);
  });
});

describe('the example for Kubernetes', () => {
  const folder = 'examples/kubernetes';
  const read = (name: string) => parse(join(folder, name));
  /** What `kubectl apply -f` of the folder applies. */
  const applied = readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.yaml'))
    .flatMap(read);
  const all = [...applied, ...read('example/secret.yaml')];
  const of = (kind: string) => all.filter((one) => one.kind === kind);
  const workloads = [...of('Deployment'), ...of('Job')];
  const gateway = of('Deployment').find(({ metadata }) => metadata.name === 'model-gateway');
  const podOf = (workload: Tree) => workload.spec.template.spec;
  const variablesOf = (container: Tree): Readonly<Record<string, string>> =>
    Object.fromEntries((container.env ?? []).map(({ name, value }: Tree) => [name, value]));

  test('empties no Secret that is there', () => {
    expect(applied.filter(({ kind }) => kind === 'Secret')).toEqual([]);
  });

  test('has every part once', () => {
    const kinds = all.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(new Set(kinds).size).toBe(kinds.length);
    expect(new Set(all.map(({ kind }) => kind))).toEqual(
      new Set([
        'ServiceAccount',
        'ConfigMap',
        'Deployment',
        'Service',
        'HorizontalPodAutoscaler',
        'PodDisruptionBudget',
        'Job',
        'Secret',
      ]),
    );
  });

  test.each(workloads.map((one) => [one.metadata.name, one]))(
    '%s runs without rights, with limits',
    (_, workload) => {
      const pod = podOf(workload);
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: {
          runAsNonRoot: true,
          runAsUser: 65_532,
          seccompProfile: { type: 'RuntimeDefault' },
        },
      });
      expect(of('ServiceAccount').map(({ metadata }) => metadata.name)).toContain(pod.serviceAccountName);
      for (const container of pod.containers) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        expect(container.resources.requests).toMatchObject({
          cpu: expect.any(String),
          memory: expect.any(String),
        });
        expect(container.resources.limits.memory).toMatch(/Mi|Gi/);
        expect(container.image).toMatch(/^model-gateway:\d/);
        expectProgram(container.args);
      }
    },
  );

  test('has probes for what listens', () => {
    for (const { spec } of of('Deployment')) {
      const [container] = spec.template.spec.containers;
      expect(container.livenessProbe.httpGet).toEqual({ path: '/healthz', port: 'http' });
      expect(container.readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'http' });
      expect(container.ports).toEqual([{ name: 'http', containerPort: 8_080 }]);
    }
  });

  test('gives the gateway time to drain', () => {
    const pod = podOf(gateway);
    const { drainMs } = readSettings(variablesOf(pod.containers[0]));
    expect(pod.terminationGracePeriodSeconds * 1_000).toBeGreaterThan(drainMs + 8_000);
  });

  test('names only variables that are read, all tables, and no secret', () => {
    const given = [
      ...of('ConfigMap').flatMap(({ data }) => Object.keys(data)),
      ...of('Secret').flatMap(({ stringData }) => Object.keys(stringData)),
    ];
    const own = workloads.flatMap((workload) =>
      podOf(workload).containers.flatMap((one: Tree) => Object.keys(variablesOf(one))),
    );
    expect([...given, ...own].filter((name) => !isKnown(name))).toEqual([]);
    expect(given).toEqual(expect.arrayContaining([...tableVariables, 'AWS_REGION']));
    for (const { stringData, data } of of('Secret')) {
      expect(new Set(Object.values(stringData))).toEqual(new Set(['']));
      expect(data).toBeUndefined();
    }
    const references = workloads.flatMap((workload) =>
      podOf(workload).containers.flatMap(({ envFrom }: Tree) => envFrom),
    );
    const named = [...of('ConfigMap'), ...of('Secret')].map(({ metadata }) => metadata.name);
    for (const { configMapRef, secretRef } of references)
      expect(named).toContain((configMapRef ?? secretRef).name);
  });

  test('scales, serves and interrupts the same pods', () => {
    const { labels } = gateway.spec.template.metadata;
    expect(gateway.spec.selector.matchLabels).toEqual(labels);
    expect(of('Service')[0].spec.selector).toEqual(labels);
    expect(of('PodDisruptionBudget')[0].spec.selector.matchLabels).toEqual(labels);
    const [scaler] = of('HorizontalPodAutoscaler');
    expect(scaler.spec.scaleTargetRef).toMatchObject({ kind: 'Deployment', name: gateway.metadata.name });
    expect(scaler.spec.minReplicas).toBe(gateway.spec.replicas);
    const aggregator = of('Deployment').find(({ metadata }) => metadata.name.endsWith('aggregator'));
    expect(aggregator.spec.replicas).toBe(1);
  });
});

test('the image that both name can be built here', () => {
  expect(existsSync(join(root, 'Dockerfile'))).toBe(true);
});
