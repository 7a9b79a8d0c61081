/** The Web Function of `POST /v1/completions`. */
import { serveWeb } from './serve-web.ts';

await serveWeb('completions', () => import('../../functions/completions.ts'), process.env);
