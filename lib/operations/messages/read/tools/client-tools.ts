/**
 * Tools whose input Anthropic's models know, so that requests only name their version: what is declared for other models. They
 * run at the client, which expects exactly these fields. Sources: the guides "Bash tool", "Text editor tool" and "Memory tool" of the
 * Claude API's documentation.
 */

import type { JsonObject } from '../../../../core/formats/json-object.ts';
import type { Tool } from '../../../../core/generation/request.ts';

type KnownTool = Required<Pick<Tool, 'name' | 'description' | 'parameters'>>;

/** Undefined for a version that is not known. */
export function clientTool(type: string): KnownTool | undefined {
  return families.find(({ version }) => version.test(type))?.tool;
}

const text = (description: string) => ({ type: 'string', description });
const number = (description: string) => ({ type: 'integer', description });
const range = {
  type: 'array',
  items: { type: 'integer' },
  description:
    'For `view` of a file: the first and the last line to show, from 1; -1 stands for the end of the file.',
};

const object = (properties: JsonObject, ...required: readonly string[]): JsonObject => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
});

const bash: KnownTool = {
  name: 'bash',
  description:
    'Runs commands in a bash session that lasts for the whole conversation. Set `restart` to true to start a new session.',
  parameters: object({
    command: text('The command to run. Required unless the session is restarted.'),
    restart: { type: 'boolean', description: 'Whether to restart the session.' },
  }),
};

/** The fields that editing files and memories have in common. */
const edits = {
  path: text('The path of the file or directory.'),
  file_text: text('For `create`: the content of the new file.'),
  old_str: text('For `str_replace`: the text to replace, which must occur exactly once.'),
  new_str: text('For `str_replace`: the new text.'),
  insert_line: number(
    'For `insert`: the line after which the text is inserted; 0 is the beginning of the file.',
  ),
  view_range: range,
};

const command = (...values: readonly string[]) => ({
  type: 'string',
  enum: values,
  description: 'What to do.',
});

/** The old versions can undo, and insert `new_str`. Source of `insert_text`: anthropics/anthropic-sdk-python issue 1155. */
function editor(name: string, version: 'old' | 'new'): KnownTool {
  const isOld = version === 'old';
  const undo = isOld ? ['undo_edit'] : [];
  return {
    name,
    description:
      'Shows, creates and edits text files. `view` shows a file with line numbers, or lists a directory; `create` writes a new file; `str_replace` replaces a text; `insert` adds a text after a line.',
    parameters: object(
      {
        command: command('view', 'create', 'str_replace', 'insert', ...undo),
        ...edits,
        ...(isOld
          ? { new_str: text('For `str_replace` and `insert`: the new text.') }
          : { insert_text: text('For `insert`: the text to insert.') }),
      },
      'command',
      'path',
    ),
  };
}

const memory: KnownTool = {
  name: 'memory',
  description:
    'Keeps notes in files below /memories, which last beyond this conversation. Look there before you begin a task, and note what matters later.',
  parameters: object(
    {
      command: command('view', 'create', 'str_replace', 'insert', 'delete', 'rename'),
      ...edits,
      insert_text: text('For `insert`: the text to insert.'),
      old_path: text('For `rename`: the path until now.'),
      new_path: text('For `rename`: the new path.'),
    },
    'command',
  ),
};

const families: readonly { readonly version: RegExp; readonly tool: KnownTool }[] = [
  { version: /^bash_\d{8}$/, tool: bash },
  { version: /^text_editor_(20241022|20250124)$/, tool: editor('str_replace_editor', 'old') },
  { version: /^text_editor_\d{8}$/, tool: editor('str_replace_based_edit_tool', 'new') },
  { version: /^memory_\d{8}$/, tool: memory },
];
