/** Examples of files and uploads. */
import type { Example } from './example.ts';

const file = {
  id: 'file-019ac8d3f1e05c7c2b1a9d4e4f5a8b3c6d7e8f901a2b',
  object: 'file',
  bytes: 12_345,
  created_at: 1_774_000_000,
  expires_at: 1_776_592_000,
  filename: 'requests.jsonl',
  purpose: 'batch',
  status: 'processed',
};

const upload = {
  id: 'upload_019ac8d3f1e05c7c2b1a9d4e4f5a8b3c6d7e8f901a2b',
  object: 'upload',
  bytes: 12_345,
  created_at: 1_774_000_000,
  expires_at: 1_774_003_600,
  filename: 'requests.jsonl',
  purpose: 'batch',
  status: 'pending',
  file: null,
};

const part = 'part_019ac8d3f1e05c7c2b1a9d4e4f5a8b3c6d7e8f901a2b';

export const filesExamples = {
  'files-list': {
    request: { purpose: 'batch', limit: 20 },
    answer: { object: 'list', data: [file], first_id: file.id, last_id: file.id, has_more: false },
  },
  'files-create': { request: { file: '@requests.jsonl', purpose: 'batch' }, answer: file },
  'files-retrieve': { request: { file_id: file.id }, answer: file },
  'files-content': { request: { file_id: file.id } },
  'files-delete': { request: { file_id: file.id }, answer: { id: file.id, object: 'file', deleted: true } },
  'uploads-create': {
    request: {
      filename: 'requests.jsonl',
      purpose: 'batch',
      bytes: 12_345,
      mime_type: 'application/jsonl',
    },
    answer: upload,
  },
  'uploads-add-part': {
    request: { data: '@part-1' },
    answer: { id: part, object: 'upload.part', created_at: 1_774_000_000, upload_id: upload.id },
  },
  'uploads-complete': { request: { part_ids: [part] }, answer: { ...upload, status: 'completed', file } },
  'uploads-cancel': { request: { upload_id: upload.id }, answer: { ...upload, status: 'cancelled' } },
} satisfies Readonly<Record<string, Example>>;
