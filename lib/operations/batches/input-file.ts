/** The file whose lines are the requests of a batch. */
import { GatewayError } from '../../core/errors/errors.ts';
import { invalid } from '../../core/errors/invalid.ts';
import type { FileStore, StoredFile } from '../../core/files.ts';

interface NamedFile {
  readonly tenant: string;
  readonly id: string;
  /** The field that names it. */
  readonly param: string;
}

const maxShownLength = 64;

/** @throws GatewayError `invalid_request` for one that is not there, or is for something else. */
export async function findInputFile(files: FileStore, { tenant, id, param }: NamedFile): Promise<StoredFile> {
  const file = await files.find(tenant, id);
  if (!file) {
    const message = `No file was found with the id '${id.slice(0, maxShownLength)}' of '${param}' (unknown, deleted or expired).`;
    throw new GatewayError('invalid_request', message, { param });
  }
  if (file.purpose === 'batch') return file;
  throw invalid(param, `must name a file with the purpose 'batch': this one has '${file.purpose}'`);
}
