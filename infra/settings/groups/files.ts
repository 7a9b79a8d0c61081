/** Where the files of tenants are, and for how long; and how the batches of their requests are answered. */
import type { NewBatch } from '../../../lib/core/batches.ts';
import { maxFileSeconds } from '../../../lib/core/files.ts';
import { daySeconds } from '../../../lib/core/time.ts';
import { matching, oneOf, type SettingRow, type SettingText, wholeNumber } from '../values.ts';
import { bucketName } from './general.ts';

export interface FileSettings {
  /** `fileDays`: for how many days a file is kept, and no longer; 0: no files are stored. */
  readonly fileDays: number;
  /** `filesBucket`: a bucket that exists, in place of the one that the stack of the tables would make. */
  readonly filesBucket: string;
  /** `batchMode`: what becomes of the lines of a batch whose provider has no batch API, unless its caller says so. */
  readonly batchMode: NewBatch['mode'];
}

const maxDays = maxFileSeconds / daySeconds;

export const fileRows: readonly SettingRow[] = [
  {
    name: 'fileDays',
    meaning: `For how many days a [file](../files.md) of a tenant is kept, and no longer, up to ${maxDays}; 0: no files are stored`,
  },
  {
    name: 'filesBucket',
    meaning: 'A bucket that exists, in place of the one for files that is made beside the tables',
  },
  {
    name: 'batchMode',
    meaning:
      'What becomes of the lines of a [batch](../batches.md) whose provider has no batch API, unless its caller says so: `native` refuses them, `any` sends them as single requests',
  },
];

/** Throws an Error that names the setting at fault. */
export const readFiles = (text: SettingText): FileSettings => ({
  fileDays: wholeNumber(text, 'fileDays', maxDays, { min: 0, max: maxDays }),
  filesBucket: matching(text, 'filesBucket', bucketName, 'the name of a bucket, without dots'),
  batchMode: oneOf(text, 'batchMode', ['native', 'any'], 'native'),
});
