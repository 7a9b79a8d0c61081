/** Descriptions of the fields of a request to the Responses operation, and of the operations on stored responses. */
import type { Fields } from '../describe-fields.ts';
import { routingFields } from './routing.ts';
import {
  below,
  cached,
  extra,
  functionFields,
  jsonSchemaFields,
  model,
  platform,
  resumable,
  sampling,
  usage,
  user,
} from './shared.ts';

const part: Fields = {
  type: 'The type of the part.',
  text: 'The text.',
  image_url: 'An `https` URL, or the image itself as a `data:<type>;base64,` URL.',
  detail: 'How closely the model looks at the image, on providers that have this setting.',
  file_data:
    'The file itself: a `data:<type>;base64,` URL, or base64 with a `filename` whose ending says its type.',
  file_url: 'The `https` URL of the file.',
  filename: 'The name of the file.',
};

const item: Fields = {
  id: 'The id of the item. An `item_reference` names an item of a stored response with it.',
  status: 'How the item ended. Ignored.',
  type: 'The type of the item. A message may leave it out.',
  role: 'Who wrote the message.',
  content: 'Text, or a list of parts.',
  ...below('content[]', {
    ...part,
    annotations: 'Ignored. Earlier answers have it.',
    logprobs: 'Ignored. Earlier answers have it.',
    parsed: 'Ignored. The official SDK adds it.',
    refusal: 'A refusal that the model answered with earlier.',
  }),
  phase: 'The phase of the answer that the message belonged to. Send it back unchanged.',
  namespace: 'The namespace of the tool that was called.',
  caller: 'Ignored. Newer SDKs send it.',
  'caller.type': 'Always `direct`.',
  call_id: 'The id of the call. Its output repeats the id.',
  name: 'The name of the function or custom tool.',
  input: 'The text that the model wrote for a custom tool.',
  tools: 'Tools that the item adds to the conversation, in the form of `tools`.',
  arguments: 'The arguments of the call, as JSON text.',
  parsed_arguments: 'Ignored. The official SDK adds it.',
  output: 'What the function returned: text, or a list of parts.',
  ...below('output[]', part),
  summary: 'The readable reasoning.',
  'summary[].type': 'Always `summary_text` in a summary, `reasoning_text` in content.',
  'summary[].text': 'The text.',
  encrypted_content:
    'The reasoning in the form that goes back to the model. Answers have it on request: `include: ["reasoning.encrypted_content"]`.',
  action: 'What was searched. Send it back unchanged.',
};

const callable: Fields = {
  ...functionFields,
  defer_loading: 'Whether the tool is loaded only when it is searched for. OpenAI only.',
  allowed_callers: 'Who may call the tool. OpenAI only. Programs that call tools are left out, on record.',
  output_schema: 'The JSON Schema of what the function returns. OpenAI only.',
  format: 'Which texts a custom tool takes. Default: any.',
  'format.type': '`text` or `grammar`.',
  'format.syntax': 'How the grammar is written.',
  'format.definition': 'The grammar. Models without custom tools read it as a part of the description.',
};

const tool: Fields = {
  type: '`function`, `custom` for a tool that takes a text, `namespace` for a group of both, `web_search` for the search of the provider (models of OpenAI, Anthropic, Google and xAI), or a tool of OpenAI that goes there as it is. Models without custom tools and namespaces get functions, and their calls come back in the form of the tool.',
  ...callable,
  tools: 'The functions and custom tools of the namespace.',
  ...below('tools[]', { type: '`function` or `custom`.', ...callable }),
  function:
    "The function, in the nested form of chat completions. The flat form, with `name` beside `type`, is OpenAI's own.",
  ...below('function', functionFields),
  search_context_size: 'How much of what the search finds the model reads.',
  user_location: 'Where the user is, roughly.',
  'user_location.type': 'Always `approximate`.',
  'user_location.city': 'The city.',
  'user_location.country': 'The country, as a code of two letters.',
  'user_location.region': 'The region.',
  'user_location.timezone': 'The time zone, for example `Europe/Berlin`.',
  filters: 'Limits of the search.',
  'filters.allowed_domains': 'The only domains that are searched.',
  external_web_access:
    '`false`: only what the provider has stored of the web is searched. The tool is left out where only the web itself can be searched.',
  search_content_types: 'What is searched for: `text`, `image`. OpenAI only.',
};

const choice: Fields = {
  type: '`function`, `custom`, `web_search`, the type of another tool, or `allowed_tools`.',
  name: 'The name of the function or custom tool.',
  function: 'The function, in the nested form.',
  'function.name': 'The name of the function.',
};

export const responsesFields: Fields = {
  ...model,
  input:
    'Text, or a list of items: messages, function calls and their outputs, reasoning, searches, references.',
  ...below('input[]', item),
  instructions: 'A system message before the input. It is not carried over to follow-up responses.',
  previous_response_id:
    'A stored response to continue from. The gateway keeps the conversation, so that the follow-up may go to any model. A follow-up that would be stored with more than 8 MB is refused.',
  store:
    'Whether the gateway stores the response, for 30 days. `true` when it is not set. With all of its input, a stored response has at most 8 MB of JSON: the answer says `store: false` where it could not be stored.',
  stream: 'Whether to send the response as server-sent events while it is generated.',
  stream_options: 'Options of a stream.',
  'stream_options.include_obfuscation': 'Ignored: streams are not obfuscated.',
  include:
    'Fields to add to the answer: `reasoning.encrypted_content`, `web_search_call.action.sources`, and those of the tools of OpenAI. The other names are accepted, and change nothing.',
  ...sampling,
  max_output_tokens: 'The most tokens that the model may generate, reasoning included.',
  stop: 'Up to four texts. The answer ends before the first of them.',
  tools: 'The tools that the model may use.',
  ...below('tools[]', tool),
  tool_choice:
    'Whether the model uses tools: `none`, `auto` (the default), `required`, a tool that it must use, or the tools that are allowed.',
  ...below('tool_choice', choice),
  'tool_choice.mode': 'Whether the model must use one of the allowed tools.',
  'tool_choice.tools': 'The tools that are allowed.',
  ...below('tool_choice.tools[]', { ...choice, type: 'The type of the tool.' }),
  max_tool_calls: 'The most calls of built-in tools in one response.',
  text: 'The form of the answer.',
  'text.format': 'Text, any JSON object, or JSON that follows a schema.',
  'text.format.type': 'The form.',
  ...below('text.format', jsonSchemaFields),
  'text.format.json_schema': 'The schema and its name, in the nested form of chat completions.',
  ...below('text.format.json_schema', jsonSchemaFields),
  'text.verbosity': 'How long the answer is, on models that have this setting.',
  reasoning: 'How the model reasons.',
  'reasoning.effort':
    'How much it reasons. The accepted values depend on the model; others are moved to the nearest one, and recorded.',
  'reasoning.summary': 'Whether the answer has a summary of the reasoning, on providers that write one.',
  'reasoning.mode': '`standard`, as without it. Other modes: `native_fields.reasoning.mode`.',
  'reasoning.context':
    'Which reasoning of earlier turns the model sees, on providers that have this setting.',
  'reasoning.generate_summary': 'Deprecated: use `reasoning.summary`.',
  context_management:
    'The provider compacts a conversation that passes `compact_threshold` tokens, on providers that do. Elsewhere it is left out, on record.',
  'context_management[].type': '`compaction`.',
  'context_management[].compact_threshold': 'From how many tokens on.',
  image: 'How the provider treats images of the input, on providers that have this setting.',
  'image.context_compression': 'Whether it may shrink them.',
  access_programs: "The provider's programs for sensitive domains, which it grants by account.",
  'access_programs.cyber': 'The program for computer security.',
  truncation:
    '`auto` removes items from the middle of a conversation that is too long for the model. `disabled` (the default) returns an error.',
  metadata: 'Up to 16 key-value pairs. The response repeats them.',
  ...user,
  ...platform,
  background:
    'Whether the response is created in the background: the answer comes at once, in the status `queued`, and the response is created whether or not the caller stays. It is polled, or followed with `stream`, and can be cancelled. Default: false.',
  client_metadata: 'Ignored. Coding agents send it.',
  native_fields:
    "Options of the provider, by the provider's own names, in any case: those that its protocol documents and that choose nothing which costs more behind the gateway's back. They win over fields of the gateway that mean the same, on record. Limits of output, service tiers, lifetimes of caches and reasoning count as if they had been given in the gateway's own fields. Tools, prompts, models and anything unknown are refused by name.",
  ...routingFields,
  ...usage,
  'usage.include': `${usage['usage.include']} The stored response keeps it. A count of input tokens has no usage.`,
  ...extra,
  ...resumable,
  ...cached,
};

export const responsesComponents: Fields = {
  'input[]': 'ResponseInputItem',
  'tools[]': 'ResponseTool',
  tool_choice: 'ResponseToolChoice',
  'text.format': 'ResponseTextFormat',
  extra: 'ResponseExtra',
};

const stored: Fields = {
  response_id: 'The id of the response.',
  include: 'Fields to add to the answer: `reasoning.encrypted_content`, `web_search_call.action.sources`.',
};

export const retrieveFields: Fields = {
  ...stored,
  stream:
    'Whether the response is sent as the events of a stream. One that is still created in the background is followed to its end. Default: false.',
  starting_after: 'Only with `stream=true`: events up to this `sequence_number` are left out.',
  include_obfuscation: 'Ignored: streams are not obfuscated.',
};

const onlyId: Fields = { response_id: stored.response_id ?? '' };

export const deleteFields: Fields = onlyId;

export const cancelFields: Fields = onlyId;

export const inputItemsFields: Fields = {
  ...stored,
  limit: 'How many items a page has.',
  order: 'The order of the items: the newest first (`desc`) or the oldest first (`asc`).',
  after: 'The id of the last item of the previous page.',
};
