/** Date, commit and machine of a run. */
import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';

export const date = (): string => new Date().toISOString().slice(0, 16).replace('T', ' ');

export const commit = (): string =>
  execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();

export function machine(): string {
  const all = cpus();
  const model = all[0]?.model.trim() ?? 'unknown';
  return `Node ${process.versions.node} on ${process.platform} ${process.arch}, ${all.length} × ${model}`;
}
