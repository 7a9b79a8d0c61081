/** Node's HTTP server. An import of `node:http` would also load fetch, whose classes it exports: half of the time in which a process starts. */
export const { createServer, ServerResponse, STATUS_CODES } = process.getBuiltinModule('node:http');
