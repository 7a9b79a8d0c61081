/** Where a command line waits for the answer of a sign-in in a browser of the same machine: one of them is free. */
export const loopbackCallbacks: readonly string[] = [8910, 8911, 8912].map(
  (port) => `http://localhost:${port}/signed-in`,
);
