/** What a test asks the function of an operation. */
export interface CallerRequest {
  readonly body?: object;
  /** In place of a body: a form, whose first field is a file. */
  readonly form?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** Values of the segments of the path. */
  readonly path?: Readonly<Record<string, string>>;
  /** Of the answer; 200 without it. */
  readonly status?: number;
}
