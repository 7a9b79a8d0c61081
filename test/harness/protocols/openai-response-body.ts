/** The response object of OpenAI's Responses protocol, with the fields that all of them have. */
export const responseBody = (status: string, more: object = {}) => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  status,
  error: null,
  incomplete_details: null,
  model: 'one',
  output: [],
  usage: null,
  ...more,
});
