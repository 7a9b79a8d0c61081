/** The files of a database with the catalog in it, made once in a process and copied for each gateway of its tests. */
import { cp, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { seedCatalog } from '../../../infra/catalog/seed.ts';
import { createCatalogStore } from '../../../lib/stores/catalog/catalog.ts';
import { startDatabase } from '../../../local/database.ts';
import { databaseDirectory } from '../../../local/database-files.ts';
import { builtVariable, stateOf } from '../built.ts';
import { pinnedModels, putPinnedModels } from '../matrix/pinned-models.ts';

let made: Promise<string> | undefined;

/** Copies them into a new data directory. */
export async function copySeededDatabase(dataDirectory: string): Promise<void> {
  made ??= make();
  await cp(await made, databaseDirectory(dataDirectory), { recursive: true });
}

async function make(): Promise<string> {
  const dataDirectory = await mkdtemp(join(stateOf(process.env[builtVariable] ?? ''), 'seeded-'));
  const { call, close } = await startDatabase({ dataDirectory });
  await seedCatalog(createCatalogStore({ call, table: 'catalog' }));
  await putPinnedModels(call, pinnedModels);
  await close();
  return databaseDirectory(dataDirectory);
}
