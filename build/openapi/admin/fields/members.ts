/** The descriptions of the fields of the people who may sign in. */
export const memberDescriptions: Readonly<Record<string, string>> = {
  email: 'The e-mail address.',
  member: 'The id of a member.',
  deleted: 'That it is gone.',
  'Member.role': 'What the user may do; null: nothing yet.',
  'Member.tenant': 'The tenant of the user; null: an operator.',
};
