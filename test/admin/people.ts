/** People of every role for the tests of a file, and calls of the dashboard's operations by them, on the local gateway. */
import { connectDatabase } from '../../infra/local/database-call.ts';
import type { Person, Role } from '../../lib/core/person.ts';
import { createSessionStore } from '../../lib/stores/sessions/sessions.ts';
import { type AdminClient, clientOf } from '../harness/admin/admin-client.ts';

/** A session of a person, as a sign-in would open it; for an operator without a tenant. */
export async function signInAs(
  { url }: { readonly url: string },
  role: Role,
  given: Partial<Person> = {},
): Promise<AdminClient> {
  const database = connectDatabase(process.env.DYNAMODB_ENDPOINT ?? '');
  try {
    const sessions = createSessionStore({ call: database.call, table: 'state', now: Date.now });
    const { token } = await sessions.open({
      id: `id-of-${role}`,
      name: `A ${role}`,
      role,
      via: 'oidc',
      ...given,
    });
    return clientOf(`${url}/admin/v1`, `gateway-session=${token}`);
  } finally {
    await database.close();
  }
}
