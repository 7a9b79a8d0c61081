/** What is fuzzed: something that reads text of strangers. */

export interface Target {
  readonly name: string;
  /** Valid inputs: lines of JSON, or bytes of any other form. */
  readonly samples: readonly Buffer[];
  /** What is wrong with how an input is handled; empty: nothing. What it throws is wrong, too. */
  check(input: Buffer): readonly string[] | Promise<readonly string[]>;
}

export const jsonLines = (values: readonly unknown[]): Buffer =>
  Buffer.from(values.map((value) => JSON.stringify(value)).join('\n'));

/** The values of the lines; a line that is no JSON is its text. */
export const readLines = (input: Buffer): readonly unknown[] =>
  input
    .toString()
    .split('\n')
    .map((line): unknown => {
      try {
        return JSON.parse(line);
      } catch {
        return line;
      }
    });

/** The members of a value that are texts, such as headers. */
export const textsOf = (value: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(Object(value)).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );

/** The value of an input of one line; undefined where it is no JSON. */
export function readValue(input: Buffer): unknown {
  try {
    return JSON.parse(input.toString());
  } catch {
    return undefined;
  }
}
