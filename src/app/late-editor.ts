import type { ConfigEditor } from '../management/index.ts';
import { NO_CONFIG_FILE } from './config-editor.ts';

/** The gateway is put together before anybody watches its file: until then, and without a file, nothing can be changed. */
export function createLateEditor(): { readonly editor: ConfigEditor; fill(editor: ConfigEditor): void } {
  let filled = NO_CONFIG_FILE;
  return {
    editor: {
      read: () => filled.read(),
      versions: () => filled.versions(),
      edit: (edit, expected) => filled.edit(edit, expected),
    },
    fill(editor) {
      filled = editor;
    },
  };
}
