/** The Lambda of files and uploads: all operations below `/v1/files` and `/v1/uploads`. */
import { fileRows } from '../lib/core/operations/files.ts';
import type { FilesOperation } from '../lib/core/operations.ts';
import type { ReadForm } from '../lib/http/form/read-form.ts';
import type { Handler } from '../lib/http/request/http-request.ts';
import { fileContentEndpoint } from '../lib/operations/files/content.ts';
import { createFileEndpoint } from '../lib/operations/files/create.ts';
import { deleteFileEndpoint } from '../lib/operations/files/delete.ts';
import { listFilesEndpoint } from '../lib/operations/files/list.ts';
import { retrieveFileEndpoint } from '../lib/operations/files/retrieve.ts';
import { addPartEndpoint } from '../lib/operations/uploads/add-part.ts';
import { cancelUploadEndpoint } from '../lib/operations/uploads/cancel.ts';
import { completeUploadEndpoint } from '../lib/operations/uploads/complete.ts';
import { createUploadEndpoint } from '../lib/operations/uploads/create.ts';
import type { Variables } from '../lib/runtime/environment.ts';
import { filesRuntime } from '../lib/runtime/files-runtime.ts';
import { functionOf } from './function-of.ts';
import { groupOf } from './group-of.ts';

/** Loaded with the first form. */
const readForm: ReadForm = async (...given) =>
  await (await import('../lib/http/form/read-form.ts')).readForm(...given);

const runtimeOf = (variables: Variables) => ({ ...filesRuntime(variables), readForm });

const creators: Readonly<Record<FilesOperation, (variables: Variables) => Handler>> = {
  'files-list': functionOf(fileRows, 'files-list', runtimeOf, listFilesEndpoint),
  'files-create': functionOf(fileRows, 'files-create', runtimeOf, createFileEndpoint),
  'files-retrieve': functionOf(fileRows, 'files-retrieve', runtimeOf, retrieveFileEndpoint),
  'files-content': functionOf(fileRows, 'files-content', runtimeOf, fileContentEndpoint),
  'files-delete': functionOf(fileRows, 'files-delete', runtimeOf, deleteFileEndpoint),
  'uploads-create': functionOf(fileRows, 'uploads-create', runtimeOf, createUploadEndpoint),
  'uploads-add-part': functionOf(fileRows, 'uploads-add-part', runtimeOf, addPartEndpoint),
  'uploads-complete': functionOf(fileRows, 'uploads-complete', runtimeOf, completeUploadEndpoint),
  'uploads-cancel': functionOf(fileRows, 'uploads-cancel', runtimeOf, cancelUploadEndpoint),
};

export const create = groupOf(fileRows, 'files', creators);
