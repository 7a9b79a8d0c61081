/** Files of tenants: what is kept of each, and how their bytes are stored. */

export const filePurposes = [
  'assistants',
  'batch',
  'batch_output',
  'evals',
  'fine-tune',
  'user_data',
  'vision',
] as const;

export type FilePurpose = (typeof filePurposes)[number];

/** The beginning of the ids of files. */
export const filePrefix = 'file-';

/** Bytes that are stored under one name. A file is its parts, one after the other: nothing is copied to make one of several. */
export interface FilePart {
  readonly name: string;
  readonly bytes: number;
}

export interface StoredFile {
  readonly tenant: string;
  /** It begins with its time; see `timedId`. */
  readonly id: string;
  /** The id of the API key that made it. */
  readonly key: string;
  readonly filename: string;
  readonly purpose: FilePurpose;
  readonly bytes: number;
  /** Unix seconds. */
  readonly createdAt: number;
  /** Unix seconds: from then on it is not found. */
  readonly expiresAt: number;
  readonly parts: readonly FilePart[];
}

export interface ByteRange {
  /** Included. */
  readonly start: number;
  /** Not included. */
  readonly end: number;
}

/** Bytes by name. A name is made of letters, digits and `-_./`. Each method may reject. */
export interface ByteStore {
  /** Writes all bytes of a name, or replaces them. */
  put(name: string, bytes: Uint8Array): Promise<FilePart>;
  /** Rejects with an Error where there is nothing under the name. */
  get(name: string, range?: ByteRange): AsyncIterable<Uint8Array>;
  /** Those that are not there are no error. */
  delete(names: readonly string[]): Promise<void>;
}

/** Where a list of a tenant goes on. */
export interface FileListing {
  /** The id of the last one of the page before. */
  readonly after?: string | undefined;
  readonly limit: number;
  readonly order: 'asc' | 'desc';
  readonly purpose?: FilePurpose | undefined;
}

export interface ListPage<Item> {
  readonly items: readonly Item[];
  readonly hasMore: boolean;
}

/** The files of tenants. Those of another tenant, and those that have expired, are not found. */
export interface FileStore {
  /** Writes the row of a file whose parts are stored. False: there is one with this id, which stays as it is. */
  put(file: StoredFile): Promise<boolean>;
  find(tenant: string, id: string): Promise<StoredFile | undefined>;
  list(tenant: string, listing: FileListing): Promise<ListPage<StoredFile>>;
  /** Deletes the row, then its parts. False: there was none. */
  remove(tenant: string, id: string): Promise<boolean>;
  /** How many bytes a tenant has stored. Those of a file that has expired count to the end of the day (UTC). */
  storedBytes(tenant: string): Promise<number>;
}

/** The most that a tenant may have stored, in bytes, its uploads included. What batches answer is stored in any case. */
export const maxStoredBytes = 10_000_000_000;

/** A smaller file counts as so many bytes, so that the files of a tenant are at most a hundred thousand. */
export const minCountedBytes = 100_000;

/** The largest part that is stored, in bytes: what a process holds of a file at a time. */
export const partBytes = 8 * 1024 * 1024;

/** Under which name a part of a tenant's file is stored. Each part has one of its own, at random. */
export type NewPartName = (tenant: string) => string;

/** The longest that a file is kept, in seconds: the bucket deletes what is older by a day. */
export const maxFileSeconds = 30 * 86_400;
