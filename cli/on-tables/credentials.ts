/** Operations on tenants' own keys for providers. */
import {
  changeCredential,
  createCredential,
  deleteCredential,
  listCredentials,
} from '../../lib/admin/credentials/credentials.ts';
import { type CredentialTestParts, testCredential } from '../../lib/admin/credentials/test-credential.ts';
import type { User } from '../../lib/core/admin/user.ts';
import { ownAccess } from '../../lib/providers/own-settings.ts';
import { createNodeClient } from '../../lib/transport/http-client/node-client.ts';
import type { Installation } from '../command.ts';

/** A key is sealed, and tested, by this machine. */
const ofCredentials =
  <Input, Answer>(work: (parts: CredentialTestParts, user: User, input: Input) => Promise<Answer>) =>
  (installation: Installation, user: User, input: Input): Promise<Answer> => {
    const { sealer } = installation;
    const { send } = createNodeClient();
    if (!sealer) throw new Error('This gateway has no secret to seal keys with.');
    const parts: CredentialTestParts = {
      ...installation,
      seal: sealer.seal,
      async open(_, credential) {
        const { createFindToken } = await import('../../lib/providers/google-vertex/token.ts');
        const settings = await sealer.open(credential, credential.sealed);
        const findToken = createFindToken({ send, now: Date.now });
        return { ...ownAccess(credential.account, settings, undefined), findToken };
      },
      send,
      region: process.env.AWS_REGION || 'us-east-1',
    };
    return work(parts, user, input);
  };

export const onCredentials = {
  'admin-credentials-list': ofCredentials(listCredentials),
  'admin-credentials-create': ofCredentials(createCredential),
  'admin-credentials-change': ofCredentials(changeCredential),
  'admin-credentials-test': ofCredentials(testCredential),
  'admin-credentials-delete': ofCredentials(deleteCredential),
};
