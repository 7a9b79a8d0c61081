/** Which packages are in a bundle. */
import type { Metafile } from 'esbuild';

/** The directory of the innermost package of a path. */
const packageDirectory = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

/** The paths of the packages of which the outputs contain anything, relative to the project, sorted. */
export function packagesIn(outputs: readonly Metafile['outputs'][string][]): readonly string[] {
  const inputs = outputs.flatMap((output) => Object.entries(output.inputs));
  const paths = inputs
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([path]) => packageDirectory.exec(path)?.[0] ?? []);
  return [...new Set(paths)].toSorted();
}
