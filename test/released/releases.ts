/**
 * The releases whose data this version reads: those of CHANGELOG.md, and states of the main branch that were used in
 * between, by their day. CONTRIBUTING.md, "Release a version", says when a row is added. The first row is the oldest.
 */
export interface Release {
  readonly name: string;
  readonly commit: string;
}

export const releases: readonly Release[] = [
  { name: '0.1.0', commit: 'b7aff7d3de765989ff01da1be9e022811864871b' },
  {
    name: '2026-11-22',
    commit: '7a54a8627b775ca076bef0539e4fd4c7b333b483',
  },
];
