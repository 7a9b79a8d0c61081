/** The last part of `npm run synth`: prints where the CDK has written each template. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Manifest {
  readonly artifacts?: Readonly<
    Record<string, { readonly type: string; readonly properties?: { readonly templateFile?: string } }>
  >;
}

const directory = 'cdk.out';
const manifest: Manifest = JSON.parse(readFileSync(join(directory, 'manifest.json'), 'utf8'));
for (const { type, properties } of Object.values(manifest.artifacts ?? {})) {
  if (type === 'aws:cloudformation:stack' && properties?.templateFile !== undefined) {
    console.log(`Template: ${join(directory, properties.templateFile)}`);
  }
}
