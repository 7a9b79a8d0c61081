/** Descriptions of the tools of a Messages request. */
import type { Fields } from '../describe-fields.ts';

const onlyAnthropic = "Only for targets of Anthropic's own protocol; left out for others, and recorded.";

export const messageTool: Fields = {
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
  cache_control: 'Marks the end of a part of the prompt to cache.',
  'cache_control.type': 'The kind of marker: `ephemeral`.',
  'cache_control.ttl': 'How long it is kept: `5m` or `1h`.',
  'cache_control.scope': `Who shares it. ${onlyAnthropic}`,
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

export const messageToolChoice: Fields = {
  tool_choice: 'Which of the tools the model is to use.',
  'tool_choice.type': '`auto`, `any`, `none`, or `tool`: the one of `name`.',
  'tool_choice.name': 'The name of the tool.',
  'tool_choice.disable_parallel_tool_use': 'Whether the model calls at most one tool at a time.',
};
