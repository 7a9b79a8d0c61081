/** What a synthesis wrote: the stacks, in the order in which they are deployed, and the settings in them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSettings } from '../../infra/settings/deployed.ts';
import type { GivenSettings } from '../../infra/settings/given.ts';

export interface Assembly {
  /** Of the gateway. */
  readonly stackName: string;
  /** Of all stacks. */
  readonly stackNames: readonly string[];
  readonly settings: GivenSettings;
}

interface Manifest {
  readonly artifacts?: Readonly<
    Record<string, { readonly type: string; readonly properties?: { readonly templateFile?: string } }>
  >;
}

interface Template {
  readonly Outputs?: { readonly Settings?: { readonly Value?: unknown } };
}

/** Throws if no stack is a gateway. */
export function readAssembly(directory: string): Assembly {
  const manifest: Manifest = readJson(join(directory, 'manifest.json'));
  const stacks = Object.entries(manifest.artifacts ?? {}).flatMap(([stackName, { type, properties }]) =>
    type === 'aws:cloudformation:stack' && properties?.templateFile !== undefined
      ? [{ stackName, templateFile: properties.templateFile }]
      : [],
  );
  const stackNames = stacks.map(({ stackName }) => stackName);
  for (const { stackName, templateFile } of stacks) {
    const template: Template = readJson(join(directory, templateFile));
    const settings = template.Outputs?.Settings?.Value;
    if (typeof settings === 'string') return { stackName, stackNames, settings: parseSettings(settings) };
  }
  throw new Error(`${directory} has no stack of a gateway.`);
}

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
