/** The address of the gateway that was started last, in a file of its data directory: where commands find its dashboard. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const addressFile = 'address';

export async function writeAddress(dataDirectory: string, url: string): Promise<void> {
  await writeFile(join(dataDirectory, addressFile), `${url}\n`, { mode: 0o600 });
}

/** Undefined before the first start. */
export async function readAddress(dataDirectory: string): Promise<string | undefined> {
  const text = await readFile(join(dataDirectory, addressFile), 'utf8').catch(() => '');
  return text.trim() || undefined;
}
