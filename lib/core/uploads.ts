/** Uploads: files that arrive in parts, each with a request of its own, and are complete when their caller says so. */
import type { FilePart, StoredFile } from './files.ts';

/** Its bytes are those of the whole file, as they were announced. */
export interface Upload extends Omit<StoredFile, 'parts'> {
  /** For how long its file is kept, in seconds. */
  readonly fileSeconds: number;
  readonly status: 'pending' | 'completed' | 'cancelled';
}

export interface UploadPart {
  readonly id: string;
  readonly bytes: number;
  readonly parts: readonly FilePart[];
}

/** The uploads of tenants. Those of another tenant, and those that have expired, are not found. */
export interface UploadStore {
  create(upload: Upload): Promise<void>;
  find(tenant: string, id: string): Promise<Upload | undefined>;
  /** False: the upload is not pending, or its parts would have more bytes than were announced, or be too many. */
  addPart(upload: Upload, part: UploadPart): Promise<boolean>;
  parts(upload: Upload): Promise<readonly UploadPart[]>;
  /** False: it is not pending. */
  end(upload: Upload, status: 'completed' | 'cancelled'): Promise<boolean>;
}

/** The most parts that an upload may get, those that its file leaves out included: its bytes alone count as stored. */
export const maxUploadParts = 2_000;

/** How long parts may be added to an upload, in seconds. */
export const uploadSeconds = 3_600;
