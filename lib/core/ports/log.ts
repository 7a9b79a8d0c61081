/** The log. */

/** Writes structured log lines, without prompts, answers or secrets. Longer texts are cut, and longer lines left incomplete. */
export interface Log {
  info(message: string, fields: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields: Readonly<Record<string, unknown>>): void;
  error(message: string, fields: Readonly<Record<string, unknown>>): void;
}
