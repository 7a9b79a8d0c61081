/** The part of the reference of the dashboard's API that is about the session. */
import { openBody, sessionSchema } from '../../../../lib/admin/sessions/schema.ts';
import { type AdminReference, tagged } from '../admin-reference.ts';

const session: AdminReference['answer'] = ['Session', sessionSchema];

export const sessionReference = tagged('Session', {
  'admin-session-show': {
    title: 'Get the session',
    summary: 'Returns who is signed in, or the sign-in methods of this gateway.',
    answer: session,
  },
  'admin-session-open': {
    title: 'Open a session',
    summary:
      'With `api_key`: a session that may look at what belongs to the tenant of the key, and change nothing; the permissions of the key must include usage. Its calls go to `/account/v1`. Without: continues the session of the cookie of the issuer.',
    body: openBody,
    answer: session,
  },
  'admin-session-end': {
    title: 'Sign out',
    summary: 'Ends the session.',
    answer: session,
  },
});
