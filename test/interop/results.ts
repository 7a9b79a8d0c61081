/** What a run of a client's driver gave. */
import type { Client } from './clients.ts';

export const operations = ['chat', 'stream', 'tools', 'structured', 'extras'] as const;

/** One line of a driver: `RESULT` and this as JSON. */
export interface Result {
  readonly operation: string;
  readonly model: string;
  readonly ok: boolean;
  readonly detail: string;
}

export interface ClientResults {
  readonly client: Client;
  readonly version: string;
  /** As in `2026-11-22`. */
  readonly date: string;
  readonly results: readonly Result[];
  /** Why there are no results, or not all of them. */
  readonly failure?: string | undefined;
}

export function readResults(stdout: string): readonly Result[] {
  const lines = stdout.split('\n').filter((line) => line.startsWith('RESULT '));
  return lines.map((line): Result => JSON.parse(line.slice('RESULT '.length)));
}

export function failed({ results, failure }: ClientResults): boolean {
  return failure !== undefined || results.length === 0 || results.some(({ ok }) => !ok);
}
