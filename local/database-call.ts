/** Calls to a local database. Without its engine, which a command does not load if the database runs already. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseJson } from '../lib/core/formats/parse-json.ts';
import type { AwsCall } from '../lib/core/ports/aws.ts';
import { createAwsCall } from '../lib/transport/aws/aws-call.ts';
import { createHttpClient } from '../lib/transport/http-client/http-client.ts';
import { localDatabase } from '../lib/transport/local-database.ts';

/** `endpoint` holds the access key. `close` ends the connections; the database itself keeps running. */
export function connectDatabase(endpoint: string): { readonly call: AwsCall; close(): Promise<void> } {
  const { sendForText, close } = createHttpClient();
  const call = createAwsCall({
    sendForText,
    service: 'dynamodb',
    region: 'local',
    jsonVersion: '1.0',
    ...localDatabase(endpoint),
  });
  return { call, close };
}

/** Where the process that has opened the database leaves its endpoint. */
export const noteIn = (dataDirectory: string): string => join(dataDirectory, 'database.json');

interface Note {
  /** With the access key. */
  readonly endpoint: string;
  readonly pid: number;
}

/**
 * The process that has opened the database; undefined if none runs. A process that was killed leaves its note behind, and its process id
 * may belong to another program now.
 */
export async function findRunning(dataDirectory: string): Promise<Note | undefined> {
  const note = await readNote(noteIn(dataDirectory));
  return note && isAlive(note.pid) && (await answers(note.endpoint)) ? note : undefined;
}

async function readNote(path: string): Promise<Note | undefined> {
  // No note, or half a note: no gateway runs.
  const text = await readFile(path, 'utf8').catch(() => '');
  const { endpoint, pid } = Object(parseJson(text)) as Partial<Readonly<Record<keyof Note, unknown>>>;
  return typeof endpoint === 'string' && typeof pid === 'number' ? { endpoint, pid } : undefined;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of another user cannot be signalled, but it exists.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Whether something answers there, if only with a refusal. */
async function answers(endpoint: string): Promise<boolean> {
  const { origin } = new URL(endpoint);
  return await fetch(origin, { signal: AbortSignal.timeout(2_000) }).then(
    () => true,
    () => false,
  );
}
