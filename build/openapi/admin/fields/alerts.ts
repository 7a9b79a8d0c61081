/** The descriptions of the fields of alerts. */
export const alertDescriptions: Readonly<Record<string, string>> = {
  'Alert.type':
    'As webhooks name it: `limit.alert`, `limit.alerts_paused` or `provider.failing`. `sums.behind` is in the list alone.',
  'Alert.tenant': 'Null: it is about no tenant.',
  'Alert.message': 'What was found, as a sentence.',
  'Alert.since': 'Since when it is so, in Unix seconds.',
  'Alert.until': 'When it was over, or a budget begins again, in Unix seconds. Null: it is not known to end.',
  delivered: 'Whether it reached every webhook and the event bus. Null: there is none, or it is on its way.',
};
