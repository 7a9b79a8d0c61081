/** Forms (`multipart/form-data`) with small files, which are in memory as a whole, as the rest of a body is. */

/** A file of such a form. */
export interface HeldFile {
  readonly filename: string;
  /** As its part says; it is not trusted. */
  readonly type: string;
  /** At least one. */
  readonly bytes: Uint8Array;
}

/** No value of a JSON body is one. */
export const isHeldFile = (value: unknown): value is HeldFile =>
  typeof value === 'object' && value !== null && 'bytes' in value && value.bytes instanceof Uint8Array;

/** What a field is in a JSON body: the texts of a form are read as that. A field that is not named is one text. */
export type FormValue = 'number' | 'flag' | 'list' | 'object';

/**
 * What a form may have. Its fields, with lists of `HeldFile` in place of files, are checked by the schema of the operation, which takes
 * a JSON body as well.
 */
export interface HeldForm {
  /** The fields that have files, and how many each may have. */
  readonly files: Readonly<Record<string, number>>;
  readonly values: Readonly<Record<string, FormValue>>;
  /** Fields whose texts may be longer than others, together, in bytes. */
  readonly longTexts?: Readonly<Record<string, number>>;
}
