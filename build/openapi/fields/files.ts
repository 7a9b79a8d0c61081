/** What the fields of files and uploads are. */
import type { Fields } from '../describe-fields.ts';

const fileId: Fields = { file_id: 'The id of the file.' };
const uploadId: Fields = { upload_id: 'The id of the upload.' };

const expiry: Fields = {
  expires_after:
    'For how long the file is kept, up to 30 days, and no longer than the gateway keeps files. 30 days when it is not set.',
  'expires_after.anchor': 'From when on it is counted.',
  'expires_after.seconds': 'The time in seconds.',
};

export const fileFields: Fields = { ...fileId };

export const createFileFields: Fields = {
  file: 'The file, with its name: up to 512 MB, and up to 200 MB with the purpose `batch`. Through API Gateway a request has room for about 4 MB: see "Larger files" in docs/files.md.',
  purpose: 'What it is for.',
  ...expiry,
};

export const listFilesFields: Fields = {
  limit: 'How many files a page has. At most 1,000 are sent at once.',
  order: 'By the time of their creation: `asc` begins with the oldest, `desc` with the newest.',
  after: 'The `id` of the last file of the page before.',
  purpose: 'Only files with this purpose.',
};

export const createUploadFields: Fields = {
  filename: 'The name of the file.',
  purpose: 'What the file is for.',
  bytes: 'How many bytes all parts have together: up to 512 MB, and up to 200 MB with the purpose `batch`.',
  mime_type: 'The media type of the file. It has no effect.',
  ...expiry,
};

export const addPartFields: Fields = {
  ...uploadId,
  data: 'The bytes of the part, up to 64 MB. Through API Gateway a request has room for about 4 MB.',
};

export const completeUploadFields: Fields = {
  ...uploadId,
  part_ids: 'The ids of the parts, in the order of their bytes. Parts that are not named are deleted.',
  md5: 'The MD5 of all bytes, in hexadecimal digits: without it, only their number is checked.',
};

export const cancelUploadFields: Fields = { ...uploadId };
