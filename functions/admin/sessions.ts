/** Of sessions, and of sign-in. */
import { type AdminFunctions, open } from './admin-function.ts';

const sessions = () => import('../../lib/admin/sessions/endpoints.ts');
const signIn = () => import('../../lib/admin/sign-in/endpoints.ts');

export const sessionFunctions = {
  'admin-session-start': open(async (r) => (await sessions()).startEndpoint(r)),
  'admin-session-show': open(async (r) => (await sessions()).showEndpoint(r)),
  'admin-session-open': open(async (r) => (await sessions()).openEndpoint(r)),
  'admin-session-end': open(async (r) => (await sessions()).endEndpoint(r)),
  'admin-sign-in': open(async (r) => (await signIn()).beginEndpoint(r)),
  'admin-sign-in-callback': open(async (r) => (await signIn()).finishEndpoint(r)),
} satisfies AdminFunctions;
