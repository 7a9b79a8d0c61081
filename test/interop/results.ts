/** What a run of a client's driver gave, and how docs/clients.md shows it: what stands around the table is written there by people. */
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

const written = /^\| client \|.*?(?=^## Configurations)/ms;

export function withResults(page: string, all: readonly ClientResults[]): string {
  const rows = all.map(({ client, version, date, results, failure }) => {
    const cells = operations.map((operation) => cellOf(results.filter((one) => one.operation === operation)));
    return row([client.title, failure !== undefined && version === '' ? 'not run' : version, date, ...cells]);
  });
  const table = [row(['client', 'version', 'date', ...operations]), row(Array(8).fill('---')), ...rows];
  return page.replace(written, () => `${[...table, '', ...notesOf(all)].join('\n')}\n`);
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** `–` where the client has no such operation. */
function cellOf(results: readonly Result[]): string {
  if (results.length === 0) return '–';
  const passed = results.filter(({ ok }) => ok).length;
  return passed === results.length ? 'yes' : `${passed} of ${results.length}`;
}

function notesOf(all: readonly ClientResults[]): readonly string[] {
  const notes = all.flatMap(({ client, results, failure }) => [
    ...(failure === undefined ? [] : [`- ${client.title}: ${oneLine(failure)}`]),
    ...results
      .filter(({ ok }) => !ok)
      .map((one) => `- ${client.title}, ${one.operation}, ${one.model}: ${oneLine(one.detail)}`),
  ]);
  return notes.length === 0 ? [] : ['## What failed', '', ...notes, ''];
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').trim();
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}
