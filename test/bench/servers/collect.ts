/** Loaded into each process of the server: it collects its garbage at intervals, so that what it still holds can be compared. */
const intervalMs = 10_000;

setInterval(() => globalThis.gc?.(), intervalMs).unref();
