/** Where the dashboard of this machine is: the address of the gateway that was started last is in a file of its data directory. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { adminOperationNamed } from '../lib/core/admin/admin-operations.ts';

/** The address that signs in to the dashboard, once. `url`: of the gateway, without a slash at the end. */
export const dashboardUrlOf = (url: string, ticket: string): string =>
  `${url}${adminOperationNamed('admin-session-start').path}?token=${ticket}`;

const addressFile = 'address';

export async function writeAddress(dataDirectory: string, url: string): Promise<void> {
  await writeFile(join(dataDirectory, addressFile), `${url}\n`, { mode: 0o600 });
}

/** Undefined before the first start. */
export async function readAddress(dataDirectory: string): Promise<string | undefined> {
  const text = await readFile(join(dataDirectory, addressFile), 'utf8').catch(() => '');
  return text.trim() || undefined;
}
