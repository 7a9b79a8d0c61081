/** The Web Function of `POST /v1/chat/completions`. */
import { serveWeb } from './serve-web.ts';

await serveWeb('chat-completions', () => import('../../functions/chat-completions.ts'), process.env);
