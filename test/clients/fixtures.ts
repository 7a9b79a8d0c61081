/** Requests that real clients send, from `fixtures/`: one file for each client (README.md there says how to read them). */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Step {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

export interface Fixture extends Step {
  readonly client: string;
  readonly id: string;
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent before, because the request hands back what their answers gave. */
  readonly setup: readonly Step[];
  readonly refused?: { readonly status: number; readonly param: string; readonly reason: string };
}

const directory = join(import.meta.dirname, 'fixtures');

export function readFixtures(): readonly Fixture[] {
  return readdirSync(directory)
    .filter((file) => file.endsWith('.jsonl'))
    .flatMap(readClient);
}

interface Line extends Partial<Fixture> {
  /** A value that several requests have. */
  readonly share?: string;
  readonly value?: unknown;
}

function readClient(file: string): readonly Fixture[] {
  const [head, ...lines] = readFileSync(join(directory, file), 'utf8')
    .trim()
    .split('\n')
    .map((line): Line => JSON.parse(line));
  const shared = new Map(lines.flatMap(({ share, value }) => (share === undefined ? [] : [[share, value]])));
  const requests = lines.filter(({ share }) => share === undefined);
  return requests
    .map((line) => ({
      method: 'POST',
      ...head,
      ...Object(expand(line, shared)),
      headers: { ...head?.headers, ...line.headers },
    }))
    .map(withSetup);
}

function withSetup(fixture: Fixture): Fixture {
  return { ...fixture, setup: (fixture.setup ?? []).map((step) => ({ ...step, method: 'POST' })) };
}

/** Puts shared values in place of their names, and long lists in place of their rule. */
function expand(value: unknown, shared: ReadonlyMap<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((one) => expand(one, shared));
  if (typeof value !== 'object' || value === null) return value;
  if ('$shared' in value) return expand(shared.get(String(value.$shared)), shared);
  if ('$repeat' in value && 'times' in value) {
    return Array.from({ length: Number(value.times) }, () => value.$repeat);
  }
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, expand(one, shared)]));
}
