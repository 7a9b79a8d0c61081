/** The Web Function of `POST /v1/responses`. */
import { serveWeb } from './serve-web.ts';

await serveWeb('responses', () => import('../../functions/responses.ts'), process.env);
