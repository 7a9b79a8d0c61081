/** The reference of the operations for files and uploads. */
import { schema as fileContentSchema } from '../../../lib/operations/files/content.ts';
import { schema as createFileSchema } from '../../../lib/operations/files/create.ts';
import { schema as deleteFileSchema } from '../../../lib/operations/files/delete.ts';
import { schema as listFilesSchema } from '../../../lib/operations/files/list.ts';
import { schema as retrieveFileSchema } from '../../../lib/operations/files/retrieve.ts';
import { schema as addPartSchema } from '../../../lib/operations/uploads/add-part.ts';
import { schema as cancelUploadSchema } from '../../../lib/operations/uploads/cancel.ts';
import { schema as completeUploadSchema } from '../../../lib/operations/uploads/complete.ts';
import { schema as createUploadSchema } from '../../../lib/operations/uploads/create.ts';
import {
  addPartFields,
  cancelUploadFields,
  completeUploadFields,
  createFileFields,
  createUploadFields,
  fileFields,
  listFilesFields,
} from '../fields/files.ts';
import { type OperationReferences, tagged } from '../operation-reference.ts';

export const filesReference = {
  ...tagged('Files', {
    'files-list': {
      title: 'List files',
      summary: "Lists the files of the key's tenant, page by page.",
      schema: listFilesSchema,
      fields: listFilesFields,
      answer: 'Files',
    },
    'files-create': {
      title: 'Upload a file',
      summary:
        'Uploads a file as a form (`multipart/form-data`). It can be used at once, and is deleted when it expires.',
      schema: createFileSchema,
      fields: createFileFields,
      request: 'FileRequest',
      file: 'file',
      answer: 'File',
    },
    'files-retrieve': {
      title: 'Get a file',
      summary: "Returns the metadata of a file of the key's tenant.",
      schema: retrieveFileSchema,
      fields: fileFields,
      answer: 'File',
    },
    'files-content': {
      title: 'Get file content',
      summary: 'Returns the content of a file. With the header `Range`, a part of it, with the status 206.',
      schema: fileContentSchema,
      fields: fileFields,
      isBytes: true,
    },
    'files-delete': {
      title: 'Delete a file',
      summary: 'Deletes a file and its content.',
      schema: deleteFileSchema,
      fields: fileFields,
      answer: 'DeletedFile',
    },
  }),
  ...tagged('Uploads', {
    'uploads-create': {
      title: 'Create an upload',
      summary:
        'Creates an upload, to which the parts of a large file are added. Parts may be added for one hour.',
      schema: createUploadSchema,
      fields: createUploadFields,
      request: 'UploadRequest',
      answer: 'Upload',
    },
    'uploads-add-part': {
      title: 'Add an upload part',
      summary:
        'Adds a part to an upload as a form (`multipart/form-data`). Several may be sent at the same time.',
      schema: addPartSchema,
      fields: addPartFields,
      request: 'UploadPartRequest',
      file: 'data',
      answer: 'UploadPart',
    },
    'uploads-complete': {
      title: 'Complete an upload',
      summary:
        'Creates a file from the parts. They must have as many bytes as the upload was created with. A second call returns the same file.',
      schema: completeUploadSchema,
      fields: completeUploadFields,
      request: 'UploadCompletion',
      answer: 'Upload',
    },
    'uploads-cancel': {
      title: 'Cancel an upload',
      summary: 'Cancels an upload and deletes its parts. No file is created.',
      schema: cancelUploadSchema,
      fields: cancelUploadFields,
      answer: 'Upload',
    },
  }),
} satisfies OperationReferences;
