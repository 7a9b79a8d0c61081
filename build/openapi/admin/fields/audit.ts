/** The descriptions of the fields of the audit log. */
export const auditDescriptions: Readonly<Record<string, string>> = {
  via: 'How the user came in; `management_key`: a program with such a key; `command`: by the command line on the database itself.',
  action: 'What was done, such as `keys.create`.',
  target: 'The id of what was changed.',
  person: 'Only changes by this user, by id.',
  'AuditRecord.after': 'The fields that changed, as they are now; null: there is nothing any more.',
  'admin-audit-list.before': 'Only changes before this time, in Unix seconds.',
};
