/** What a synthesis wrote: the stacks, in the order in which they are deployed, and the settings in them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSettings } from '../settings/deployed.ts';
import type { GivenSettings } from '../settings/given.ts';

export interface Assembly {
  readonly stackName: string;
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
  for (const [stackName, { type, properties }] of Object.entries(manifest.artifacts ?? {})) {
    if (type !== 'aws:cloudformation:stack' || properties?.templateFile === undefined) continue;
    const template: Template = readJson(join(directory, properties.templateFile));
    const settings = template.Outputs?.Settings?.Value;
    if (typeof settings === 'string') return { stackName, settings: parseSettings(settings) };
  }
  throw new Error(`${directory} has no stack of a gateway.`);
}

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
