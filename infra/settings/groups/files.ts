/** Where the files of tenants are, and for how long. */
import { maxFileSeconds } from '../../../lib/core/files.ts';
import { daySeconds } from '../../../lib/core/time.ts';
import { matching, type SettingRow, type SettingText, wholeNumber } from '../values.ts';
import { bucketName } from './general.ts';

export interface FileSettings {
  /** `fileDays`: for how many days a file is kept, and no longer; 0: no files are stored. */
  readonly fileDays: number;
  /** `filesBucket`: a bucket that exists, in place of the one that the stack of the tables would make. */
  readonly filesBucket: string;
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
];

/** Throws an Error that names the setting at fault. */
export const readFiles = (text: SettingText): FileSettings => ({
  fileDays: wholeNumber(text, 'fileDays', maxDays, { min: 0, max: maxDays }),
  filesBucket: matching(text, 'filesBucket', bucketName, 'the name of a bucket, without dots'),
});
