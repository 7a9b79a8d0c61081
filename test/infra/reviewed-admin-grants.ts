/** What roles of admin functions may do that no function asks for in the tests, each with its reason. */
import type { ReviewedGrant } from './reviewed-grants.ts';

export const reviewedAdminGrants: readonly ReviewedGrant[] = [
  {
    functions: 'all',
    action: 'logs:*',
    resource: '*',
    reason: 'Lambda writes the log of a function with the role of the function.',
  },
];
