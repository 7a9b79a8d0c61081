/** Bounds of the sign-in to the dashboard, and of its members. */

import { maxEmail, maxMemberName, maxMembersPage } from '../../../lib/admin/members/schema.ts';
import { maxGroups, maxPersonId, maxPersonName } from '../../../lib/admin/sign-in/claims.ts';
import {
  issuerFailurePauseMs,
  issuerKeptMs,
  keysPauseMs,
  maxIssuerBytes,
  maxIssuerKeys,
} from '../../../lib/admin/sign-in/issuer.ts';
import { maxReturnPath } from '../../../lib/admin/sign-in/return-path.ts';
import { signInSeconds } from '../../../lib/admin/sign-in/started.ts';
import { maxTokenAge, maxTokenText, timeLeeway } from '../../../lib/admin/sign-in/verify.ts';
import { maxCookieValue } from '../../../lib/core/admin/session-cookie.ts';
import { groupCalls } from '../../../lib/stores/members/cognito-members.ts';
import type { LimitArea } from './row.ts';

const issuer = 'lib/admin/sign-in/issuer.ts';
const verify = 'lib/admin/sign-in/verify.ts';
const claims = 'lib/admin/sign-in/claims.ts';
const members = 'lib/admin/members/schema.ts';

export const signInLimits: LimitArea = {
  title: 'Sign-in to the dashboard',
  rows: [
    {
      what: 'From the begin of a sign-in to the return from the issuer',
      limit: { signInSeconds },
      file: 'lib/admin/sign-in/started.ts',
      unit: 'seconds',
      onExceed: 'the sign-in begins again',
    },
    {
      what: 'Path to return to',
      limit: { maxReturnPath },
      file: 'lib/admin/sign-in/return-path.ts',
      unit: 'characters',
      onExceed: 'the first page',
    },
    { what: 'ID token', limit: { maxTokenText }, file: verify, unit: 'characters', onExceed: '401' },
    {
      what: 'Age of an ID token, whatever its own end is',
      limit: { maxTokenAge },
      file: verify,
      unit: 'seconds',
      onExceed: '401; the page gets a new one',
    },
    {
      what: "Difference between an issuer's time and the gateway's",
      limit: { timeLeeway },
      file: verify,
      unit: 'seconds',
      onExceed: '401',
    },
    {
      what: 'Refresh token of an issuer',
      limit: { maxCookieValue },
      file: 'lib/core/admin/session-cookie.ts',
      unit: 'characters',
      onExceed: '503, and the log names the length',
    },
    {
      what: 'Answer of an issuer',
      limit: { maxIssuerBytes },
      file: issuer,
      unit: 'bytes',
      onExceed: '503',
    },
    {
      what: 'Keys of an issuer',
      limit: { maxIssuerKeys },
      file: issuer,
      unit: 'count',
      onExceed: 'others are ignored',
    },
    {
      what: "How long an issuer's keys and addresses are used without being read again",
      limit: { issuerKeptMs },
      file: issuer,
      unit: 'ms',
      onExceed: 'they are read again; without an answer, the known ones stay',
    },
    {
      what: 'Between two readings of the keys for a token with an unknown one',
      limit: { keysPauseMs },
      file: issuer,
      unit: 'ms',
      onExceed: '401 for such tokens meanwhile',
    },
    {
      what: 'Between two readings from an issuer that did not answer',
      limit: { issuerFailurePauseMs },
      file: issuer,
      unit: 'ms',
      onExceed: '503 meanwhile, or the keys that are known',
    },
    {
      what: 'Groups of a person in a token',
      limit: { maxGroups },
      file: claims,
      unit: 'count',
      onExceed: 'others are ignored',
    },
    { what: 'Id of a person', limit: { maxPersonId }, file: claims, unit: 'characters', onExceed: '401' },
    {
      what: 'Name of a person',
      limit: { maxPersonName },
      file: claims,
      unit: 'characters',
      onExceed: 'it is cut',
    },
    { what: 'Members on a page', limit: { maxMembersPage }, file: members, unit: 'count', onExceed: '400' },
    {
      what: 'Email address of a member',
      limit: { maxEmail },
      file: members,
      unit: 'characters',
      onExceed: '400',
    },
    {
      what: 'Id or email address of a member in a path',
      limit: { maxMemberName },
      file: members,
      unit: 'characters',
      onExceed: '400',
    },
    {
      what: 'Calls of the user pool at once for one list of members',
      limit: { groupCalls },
      file: 'lib/stores/members/cognito-members.ts',
      unit: 'count',
      onExceed: 'the rest waits',
    },
  ],
};
