/** Descriptions of the fields of a Messages request. */
import type { Fields } from '../describe-fields.ts';
import { modelRouting } from './routing.ts';
import { below, cached, extra, model, resumable } from './shared.ts';

const onlyAnthropic = "Only for targets of Anthropic's own protocol; left out for others, and recorded.";

/** A prompt cache marker, wherever it stands. */
const marker = (path: string): Fields => ({
  [path]: 'Marks the end of a part of the prompt to cache.',
  [`${path}.type`]: 'The kind of marker: `ephemeral`.',
  [`${path}.ttl`]: 'How long it is kept: `5m` or `1h`.',
  [`${path}.scope`]: `Who shares it. ${onlyAnthropic}`,
});

const messageTool: Fields = {
  type: "Absent or `custom`: a tool of your own. `bash_…`, `text_editor_…` and `memory_…` are offered to every model; `web_search_…` to models that can search. Other tools of Anthropic's go to its own protocol only, and are refused by name elsewhere.",
  name: 'The name of the tool.',
  description: 'What the tool does. The model reads it.',
  input_schema: 'A JSON Schema of the arguments.',
  eager_input_streaming: `Whether arguments are streamed before they are checked. ${onlyAnthropic}`,
  strict: 'Whether the arguments must match the schema exactly.',
  defer_loading:
    'Whether the tool is offered only when the model has found it. Other models are offered it once the conversation names it.',
  allowed_callers: `What may call the tool beside the model. ${onlyAnthropic}`,
  input_examples: `Examples of arguments. ${onlyAnthropic}`,
  ...marker('cache_control'),
  max_uses: 'The highest number of web searches.',
  allowed_domains: 'Only these domains are searched.',
  blocked_domains: "These domains are not searched. Only Anthropic's search supports it.",
  user_location: 'Where the user is, for a search of the web.',
  'user_location.type': '`approximate`.',
  'user_location.city': 'The city.',
  'user_location.country': 'The country, as a code of two letters.',
  'user_location.region': 'The region.',
  'user_location.timezone': 'The time zone, such as `Europe/Berlin`.',
};

const messageToolChoice: Fields = {
  tool_choice: 'Which of the tools the model is to use.',
  'tool_choice.type': '`auto`, `any`, `none`, or `tool`: the one of `name`.',
  'tool_choice.name': 'The name of the tool.',
  'tool_choice.disable_parallel_tool_use': 'Whether the model calls at most one tool at a time.',
};

const source: Fields = {
  source: 'Where the image or document is. Files that are stored at Anthropic (`file`) are refused.',
  'source.type': 'The kind of source.',
  'source.media_type': 'The media type of the data.',
  'source.data': 'The data: base64, or the text itself.',
  'source.url': 'The `https` URL.',
};

const text: Fields = {
  type: 'The type of the block. Blocks of types that are not listed go to targets of the protocol only.',
  text: 'The text.',
  citations: `What the text cites, or whether a document is cited. ${onlyAnthropic} Refused in texts of the user by version 2026-10-21.`,
  ...marker('cache_control'),
};

const leaf: Fields = {
  ...text,
  ...source,
  transformations: `What is done with an image that is too large. ${onlyAnthropic}`,
};

const shown: Fields = {
  ...leaf,
  'source.content': 'The document as a text, or as a list of texts and images.',
  ...below('source.content[]', leaf),
  title: 'The title of a document or search result.',
  context: 'What the model is to know of a document, beside its content.',
  content: 'The texts of a search result.',
  ...below('content[]', text),
  tool_name: 'The name of a tool that the client has loaded. Other models are given it as a text.',
};

const block: Fields = {
  ...shown,
  content:
    'What a tool answered: a text, or a list of blocks; the texts of a search result; the readable summary of a compaction.',
  ...below('content[]', shown),
  tool_use_id: 'The id of the call that is answered.',
  is_error: 'Whether the tool failed. Other models are given a text that says so, which is recorded.',
  toolset_name: `The toolset of the tool. ${onlyAnthropic}`,
  id: 'The id of the call.',
  name: 'The name of the tool.',
  input: 'The arguments.',
  caller: `What called the tool. ${onlyAnthropic}`,
  thinking: 'The thinking, as it was answered.',
  signature:
    'Its signature. Send it back unchanged: it also carries the reasoning of models of other families.',
  data: 'Thinking that only the model can read.',
  encrypted_content: `What only Anthropic can read. ${onlyAnthropic}`,
  tool_changes: `The changes of tools that were summarized. ${onlyAnthropic}`,
  tool: 'The tool that is added to the conversation.',
  'tool.type': 'How the tool is given.',
  'tool.name': 'The name of a tool of `tools` that was deferred.',
  'tool.definition': 'A new tool, as in `tools`.',
  ...below('tool.definition', messageTool),
};

export const messagesFields: Fields = {
  ...model,
  max_tokens:
    "The highest number of tokens to generate, thinking included. Lowered, and recorded, where it is above the model's own. 0 fills a prompt cache, for targets of Anthropic's own protocol.",
  messages: 'The conversation.',
  'messages[].role': 'Who wrote the message. Instructions of the `system` stay in their place.',
  'messages[].content': 'A text, or a list of blocks.',
  ...below('messages[].content[]', block),
  'messages[].output_config': `Settings for the turn that follows. ${onlyAnthropic}`,
  'messages[].clear_at': `When the message is taken out of the conversation. ${onlyAnthropic}`,
  system: 'Instructions for the model: a text, or a list of text blocks, which stay in their order.',
  ...below('system[]', text),
  stream: 'Whether the answer is a stream of server-sent events.',
  tools: 'The tools that the model may use.',
  ...below('tools[]', messageTool),
  ...messageToolChoice,
  thinking: 'How the model thinks.',
  'thinking.type':
    '`adaptive`: as much as it sees fit. `enabled`: within a budget. `disabled`: not at all. Models of other families get the nearest effort that they have, and `adaptive` leaves them at their own.',
  'thinking.budget_tokens':
    "The budget of `enabled`, below `max_tokens`. Fitted to the model's own range where it is of another family.",
  'thinking.display':
    '`omitted`: answers have the signatures of the thinking without its text. `summarized`: a summary, from models that write one on request.',
  output_config: 'Settings of the answer.',
  'output_config.effort':
    'How much effort the answer is worth: `low`, `medium`, `high`, `xhigh`, `max`. It wins over the budget. Models of other families get the nearest that they have.',
  'output_config.format': 'The form of the answer.',
  'output_config.format.type': '`json_schema`.',
  'output_config.format.schema': 'The JSON Schema that the answer keeps to.',
  output_format: 'Deprecated. Use `output_config.format`.',
  'output_format.type': '`json_schema`.',
  'output_format.schema': 'The JSON Schema that the answer keeps to.',
  stop_sequences:
    'Texts that end the answer. Models of other families get the first four, which is recorded.',
  temperature: 'Sampling temperature. Version 2026-10-21 refuses it.',
  top_p:
    'Nucleus sampling: only the tokens that make up this share of the probability are considered. Version 2026-10-21 refuses it.',
  top_k: 'Only this many of the most likely tokens are considered. Version 2026-10-21 refuses it.',
  metadata: 'What the request is about.',
  'metadata.user_id':
    'An identifier of your end user. Providers of other families get its SHA-256 if it is longer than 64 characters, or has others than letters, digits, dashes and underscores.',
  service_tier: '`auto` or `standard_only`: whether priority capacity may be used.',
  speed: '`fast`: faster answers at a higher price, on models that have this mode.',
  ...marker('cache_control'),
  cache_control: 'Marks the end of the whole prompt to cache it.',
  inference_geo:
    'Where Anthropic runs the model. Targets of other protocols are not used for a region other than `global`.',
  container:
    "The container to use again, by the id that an earlier answer to the same tenant has, or the skills of one, for targets of Anthropic's own protocol. The id of any other container is refused.",
  mcp_servers: "The MCP servers that Anthropic calls, for targets of Anthropic's own protocol.",
  context_management: `What Anthropic takes out of the conversation by itself. ${onlyAnthropic}`,
  compaction: "Asks for a summary of the conversation, of targets of Anthropic's own protocol.",
  fallbacks: `Models that Anthropic tries after a refusal. ${onlyAnthropic} Use \`extra.fallbacks\` for any model.`,
  'fallbacks[].model': 'The model.',
  thread: 'Not supported: send the whole conversation.',
  diagnostics: `What Anthropic reports of its prompt cache. An id in \`previous_message_id\` is replaced by null, on record: it refers to the account that all tenants share. ${onlyAnthropic}`,
  ...modelRouting,
  ...extra,
  ...resumable,
  ...cached,
  'extra.normalize':
    '`false`: parameters are sent to the provider unchanged, and its errors are returned. Default: true.',
};

export const messagesComponents: Fields = {
  extra: 'MessageExtra',
  'tools[]': 'MessageTool',
  'messages[].content[]': 'MessageBlock',
};
