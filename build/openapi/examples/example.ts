/** An example of an operation. */
export interface Example {
  /** Query and path parameters, or the body. */
  readonly request?: Readonly<Record<string, unknown>>;
  /** Absent where it is a stream of any events. */
  readonly answer?: object;
  /** The data of some events of a stream. */
  readonly events?: readonly object[];
}
