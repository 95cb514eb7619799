/**
 * The kinds of content that can be exported and imported, by their names in requests and files. Each kind only
 * references earlier ones.
 */
export const CONTENT_MODELS = [
  'phase',
  'glossary_term',
  'section',
  'subsection',
  'attribute',
  'question',
  'subquestion',
  'answer',
  'weakness',
  'standard',
  'amendment',
  'implementation',
  'regulation',
  'regulation_section',
  'component_question',
  'component',
  'threat_framework',
  'threat',
  'profile',
  'workflow_prompt',
  'training_module',
  'rule_mapping',
] as const;

export type ContentModel = (typeof CONTENT_MODELS)[number];

export const EXPORT_TYPES = ['template', 'content'] as const;

export type ExportType = (typeof EXPORT_TYPES)[number];

export const FILE_FORMATS = ['csv', 'json', 'yaml', 'xlsx'] as const;

export type FileFormat = (typeof FILE_FORMATS)[number];
