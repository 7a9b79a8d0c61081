/** The program of the Web Functions: `GATEWAY_OPERATION` names the operation that one serves. */
import { serveWeb } from './serve-web.ts';

await serveWeb(process.env);
