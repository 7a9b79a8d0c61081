/** The rows of files and uploads. */
import type { Operation } from './operation.ts';
import { longest, reading } from './row-parts.ts';

const ofFiles = { ...reading, function: 'files', onlyWithVersion: true, reads: ['access', 'files'] } as const;

/** They count what is stored. */
const changingFiles = {
  ...ofFiles,
  method: 'POST',
  writes: ['files'],
  updates: ['files'],
  queries: ['files'],
} as const;

export const fileRows: readonly Operation[] = [
  { ...ofFiles, name: 'files-list', path: '/v1/files', queries: ['files'] },
  { ...changingFiles, name: 'files-create', path: '/v1/files', takesFile: true, ...longest },
  { ...ofFiles, name: 'files-retrieve', path: '/v1/files/{file_id}' },
  {
    ...ofFiles,
    name: 'files-delete',
    method: 'DELETE',
    path: '/v1/files/{file_id}',
    updates: ['files'],
    deletes: ['files'],
  },
  {
    ...ofFiles,
    name: 'files-content',
    path: '/v1/files/{file_id}/content',
    onlyGet: true,
    ...longest,
  },
  { ...changingFiles, name: 'uploads-create', path: '/v1/uploads' },
  {
    ...changingFiles,
    name: 'uploads-add-part',
    path: '/v1/uploads/{upload_id}/parts',
    takesFile: true,
    ...longest,
  },
  // Where its hash is given, all of it is read.
  {
    ...changingFiles,
    name: 'uploads-complete',
    path: '/v1/uploads/{upload_id}/complete',
    deletes: ['files'],
    ...longest,
  },
  { ...changingFiles, name: 'uploads-cancel', path: '/v1/uploads/{upload_id}/cancel' },
];
