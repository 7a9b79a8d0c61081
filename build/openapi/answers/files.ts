/** The answers of the operations on files and uploads. */
import { filePurposes } from '../../../lib/core/files.ts';
import { always, choice, count, flag, integer, list, named, nullable, text, unixSeconds } from './shared.ts';

export const file = named('File', 'A file.', {
  id: text('Its id.'),
  object: always('file'),
  bytes: count('Its size.'),
  created_at: unixSeconds,
  expires_at: integer('When it is deleted, in Unix seconds.'),
  filename: text('Its name.'),
  purpose: choice(filePurposes, 'What it is for.'),
  status: always('processed'),
});

export const files = named('Files', 'A list of files.', {
  object: always('list'),
  data: list(file, 'The files.'),
  first_id: nullable(text('The id of the first file of this page.')),
  last_id: nullable(text('The id of the last file of this page.')),
  has_more: flag('Whether there are more files after this page.'),
});

export const deletedFile = named('DeletedFile', 'A file that is no longer stored.', {
  id: text('Its id.'),
  object: always('file'),
  deleted: flag('Always true.'),
});

export const upload = named('Upload', 'A file that arrives in parts.', {
  id: text('Its id.'),
  object: always('upload'),
  bytes: count('The size of the whole file.'),
  created_at: unixSeconds,
  expires_at: integer('Until when parts may be added, in Unix seconds.'),
  filename: text('The name of the file.'),
  purpose: choice(filePurposes, 'What the file is for.'),
  status: choice(['pending', 'completed', 'cancelled'], 'Whether parts may be added.'),
  file: nullable(file).describe('The file, once the upload is completed.'),
});

export const uploadPart = named('UploadPart', 'A part of an upload.', {
  id: text('Its id.'),
  object: always('upload.part'),
  created_at: unixSeconds,
  upload_id: text('The id of the upload.'),
});
