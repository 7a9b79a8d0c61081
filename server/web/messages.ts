/** The Web Function of `POST /v1/messages`. */
import { serveWeb } from './serve-web.ts';

await serveWeb('messages', () => import('../../functions/messages.ts'), process.env);
