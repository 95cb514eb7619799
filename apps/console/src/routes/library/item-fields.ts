import { renderMarkdown } from '../../api/library-editing.ts';
import { libraryStrings as texts } from '../../library-strings.ts';

/** The fields that forms for all items of the library have. */
export const TITLE = { kind: 'text', label: texts.title, isRequired: true } as const;

export const TEXT = {
  kind: 'markdown',
  label: texts.text,
  description: texts.textHint,
  isRequired: true,
  render: renderMarkdown,
} as const;

export const ACTIVE = { kind: 'switch', label: texts.active, description: texts.activeHint } as const;
