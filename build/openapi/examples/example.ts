/** An example of an operation. */
export interface Example {
  /** Query and path parameters, or the body. */
  readonly request?: Readonly<Record<string, unknown>>;
  readonly answer: object;
  /** The data of some events of a stream. */
  readonly events?: readonly object[];
}
