/** The descriptions of the fields of tenants' own keys for providers. */
export const credentialDescriptions: Readonly<Record<string, string>> = {
  credential: 'The id of an own key.',
  own_key_fee_percent:
    "What calls with the tenant's own keys are charged: a part of the list price, as text. They cost nothing otherwise.",
  list_cost_nano_usd:
    'What the provider takes of the tenant for a call with an own key, by the catalog; null: not known, or no own key.',
  'RequestDetails.credential': "The id of the tenant's own key; null: the account of the gateway.",
  'Credential.provider': 'The account whose key it is; several providers may share one.',
  'Credential.position': 'Among those for the provider, from 0: the first is used first.',
  fallback: '`none`: the accounts of the gateway are not called for its models. `shared`: they follow.',
  keys: 'The ids of the API keys of the tenant that it is for; null: all.',
  'Credential.settings': 'Those of its settings that are no secret, such as `project`.',
  last4: 'The last four characters of the secret; empty of a short one.',
  fingerprint: 'The same for the same secret of a tenant.',
  'Credential.last_failed_at': 'When the provider refused it last, in Unix seconds; null: never.',
  'Credential.last_failure': 'What the provider said then: a plain name, or the status; null: nothing.',
  'CredentialTest.ok': 'Whether the provider accepts it; null: it has no call that would say so for free.',
  'CredentialTest.status': 'What the provider answered; null: nothing.',
  'CredentialTest.failure': 'What is wrong; null: nothing.',
  'CredentialTest.duration_ms': 'How long it took.',
  'admin-credentials-create.settings': 'The settings by name, such as `api-key`. Their values are encrypted.',
  'admin-credentials-change.disabled': 'Whether it is not used any more.',
  'admin-credentials-change.position': 'Moves it: 0 is used first.',
};
