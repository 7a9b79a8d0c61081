/** The descriptions of the fields of API keys. */
export const keyDescriptions: Readonly<Record<string, string>> = {
  'Key.name': 'What the key is for; null: not said.',
  owner: 'The id of the user whose key it is; null: the tenant’s.',
  'Model.owner': 'Who made the model.',
  family: 'The first key of a chain of rotations, which share their limits; null: the key itself.',
  last_used_at: 'To the minute, in Unix seconds; null: never.',
  disabled_at: 'When it was disabled, in Unix seconds; null: it was not.',
  'CreatedKey.key': 'The secret. It is in no other answer.',
  'RotatedKey.key': 'The secret. It is in no other answer.',
  replaced: 'The old key, and when it stops working.',
  overlap_seconds: 'How long the old key works beside the new one; a day if absent.',
};
