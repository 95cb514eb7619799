import { bodyOf } from '../support/client.js';
import { unique } from '../support/factories.js';
import { boolean, choice, type FilterContract, integer, publicId, reference, text, time } from './filters.js';
import { byPerson, byTime, insert, ODD_TITLES, phaseFields, userId } from './resources.js';
import { byField, byId, byText, type FieldTypes, type Resource } from './table.js';

const phases: Resource = {
  name: 'phases',
  path: '/phases/',
  key: { field: 'id', shape: /^C?X[1-9]\d*$/, absent: 'CX999999' },
  methods: { list: ['GET', 'POST'], item: ['GET', 'PATCH', 'DELETE'] },
  writers: 'customize_content',
  fields: phaseFields,
  filters: {
    id: publicId('CX999999'),
    name: text('name'),
    slug: text('slug'),
    ordinal: integer('ordinal'),
    retain: boolean('retain'),
    active: boolean('active'),
    is_custom: boolean('is_custom'),
  },
  orderings: {
    id: byId,
    name: byText('name'),
    slug: byField('slug'),
    ordinal: byField('ordinal'),
    active: byField('active'),
  },
  defaultOrdering: 'ordinal',
  search: ({ name }) => [String(name)],
  seed: async (_, { api }) => {
    for (const [index, name] of ODD_TITLES.entries())
      await bodyOf(
        api.post('/phases/', {
          name: unique(name),
          active: index % 3 > 0,
          retain: index % 2 > 0,
          ...(index % 4 && { ordinal: index }),
        }),
        201,
      );
  },
  create: { status: 201, body: () => Promise.resolve({ name: unique('Phase'), tip: 'Think.', ordinal: 3 }) },
};

const ruleMappings: Resource = {
  name: 'rule mappings',
  path: '/library/rule-mappings/',
  key: { field: 'id', shape: /^C?RM[1-9]\d*$/, absent: 'CRM999999' },
  methods: { list: ['GET', 'POST'], item: ['GET', 'PATCH', 'DELETE'] },
  writers: 'customize_content',
  fields: {
    id: { shape: /^C?RM[1-9]\d*$/ },
    system: 'string',
    rule_pattern: 'string',
    cwe: { nullable: 'integer' },
    weakness: { nullable: { shape: /^C?P[1-9]\d*$/ } },
    is_custom: 'boolean',
  },
  filters: {
    id: publicId('CRM999999'),
    system: text('system'),
    rule_pattern: text('rule_pattern'),
    cwe: integer('cwe'),
    weakness: reference('weakness', 'P99999'),
    is_custom: boolean('is_custom'),
  },
  orderings: {
    id: byId,
    system: byText('system'),
    rule_pattern: byText('rule_pattern'),
    cwe: byField('cwe'),
  },
  defaultOrdering: 'id',
  search: ({ system, rule_pattern: pattern }) => [String(system), String(pattern)],
  seed: async (_, { api }) => {
    for (const [index, system] of ODD_TITLES.entries())
      await bodyOf(
        api.post('/library/rule-mappings/', {
          system: unique(system),
          rule_pattern: index % 2 ? 'no-*' : 'No%_x',
          ...(index % 3 ? { cwe: 79 + index } : { weakness: `P${1 + index}` }),
        }),
        201,
      );
  },
  create: { status: 201, body: () => Promise.resolve({ system: 'scan', rule_pattern: 'no-*', cwe: 79 }) },
};

const regulations: Resource = {
  name: 'regulations',
  path: '/library/regulations/',
  key: { field: 'id', shape: /^C?REG[1-9]\d*$/, absent: 'CREG999999' },
  methods: { list: ['GET'], item: ['GET'] },
  fields: {
    id: { shape: /^C?REG[1-9]\d*$/ },
    name: 'string',
    slug: 'string',
    version: 'string',
    url: 'string',
    sections_count: 'integer',
  },
  filters: {
    id: publicId('CREG999999'),
    name: text('name'),
    slug: text('slug'),
    version: text('version'),
    sections_count: integer('sections_count'),
  },
  orderings: {
    id: byId,
    name: byText('name'),
    slug: byField('slug'),
    sections_count: byField('sections_count'),
  },
  defaultOrdering: 'name',
  search: ({ name }) => [String(name)],
  seed: insert(
    `INSERT INTO regulation (organization_id, number, name, slug)
      VALUES ($1, 1, '100% our_rules', 'our-rules'), ($1, 2, 'another ÖNE\\', 'one')`,
  ),
};

/** A regulation without sections, and two custom sections in a built-in regulation, numbered from `section`. */
const insertSections = (regulation: number, section: number): NonNullable<Resource['seed']> =>
  insert(`
    WITH empty AS (INSERT INTO regulation (organization_id, number, name, slug)
      VALUES ($1, ${regulation}, 'Empty', 'empty-${regulation}'))
    INSERT INTO regulation_section (organization_id, regulation_id, number, code, title, ordinal, level)
    SELECT $1::bigint, r.id, ${section} + s.number, '${section}' || s.code, s.title, s.ordinal, s.level
    FROM regulation r, (VALUES (0, '00%', 'our_own section', 3, 1), (1, 'ÄÖ', 'back\\slash', 30, 2))
      s(number, code, title, ordinal, level)
    WHERE r.item_id = 'REG1'`);

const regulationSections: Resource = {
  name: 'regulation sections',
  path: '/library/regulations/REG1/sections/',
  elsewhere: (parent) => `/library/regulations/${parent}/sections/`,
  emptyParent: 'CREG9',
  key: { field: 'id', shape: /^C?RS[1-9]\d*$/, absent: 'CRS999999' },
  methods: { list: ['GET'], item: ['GET'] },
  fields: {
    id: { shape: /^C?RS[1-9]\d*$/ },
    code: 'string',
    title: 'string',
    ordinal: 'integer',
    level: { nullable: 'integer' },
    active: 'boolean',
    countermeasures: { list: { shape: /^C?T[1-9]\d*$/ } },
  },
  includes: {
    mappings: {
      mappings: {
        list: {
          object: {
            countermeasure: { shape: /^C?T[1-9]\d*$/ },
            strength: { oneOf: ['full', 'partial', 'supports'] },
            why: 'string',
          },
        },
      },
    },
  },
  filters: {
    id: publicId('CRS999999'),
    code: text('code'),
    title: text('title'),
    ordinal: integer('ordinal'),
    level: integer('level'),
    active: boolean('active'),
    countermeasure: reference('countermeasures', 'T999999'),
  },
  orderings: {
    id: byId,
    code: byText('code'),
    title: byText('title'),
    ordinal: byField('ordinal'),
    level: byField('level'),
  },
  defaultOrdering: 'ordinal',
  search: ({ code, title }) => [String(code), String(title)],
  seed: insertSections(9, 1),
};

/** The parameter `project` adds fields to each row. It finds all rows, or none if the caller can't see the project. */
const coverageProject: FilterContract = {
  suffixes: [''],
  cases: (name) => [
    { parameter: name, value: '999999', matches: () => false },
    { parameter: name, value: '9'.repeat(40), matches: () => false },
    { parameter: name, value: '-1', matches: () => false },
  ],
  invalid: { '': ['x', '1.5', '1,2', 'PT1'] },
  valid: '999999',
};

const { active: _activeField, ...coverageFields } = regulationSections.fields;
const { active: _activeFilter, ...coverageFilters } = regulationSections.filters;

const regulationCoverage: Resource = {
  ...regulationSections,
  name: 'regulation coverage',
  path: '/library/regulations/REG1/coverage/',
  elsewhere: (parent) => `/library/regulations/${parent}/coverage/`,
  emptyParent: 'CREG8',
  methods: { list: ['GET'] },
  extraFields: ['summary'],
  seed: insertSections(8, 3),
  fields: {
    ...coverageFields,
    covered: 'boolean',
    project: { nullable: { object: { countermeasures: 'integer', complete: 'integer' } } },
  },
  filters: { ...coverageFilters, covered: boolean('covered'), project: coverageProject },
  orderings: { ...regulationSections.orderings, covered: byField('covered') },
};

const glossaryTerms: Resource = {
  name: 'glossary terms',
  path: '/library/glossary-terms/',
  key: { field: 'id', shape: /^C?GT[1-9]\d*$/, absent: 'CGT999999' },
  methods: { list: ['GET'], item: ['GET'] },
  fields: { id: { shape: /^C?GT[1-9]\d*$/ }, term: 'string', definition: 'string' },
  filters: { id: publicId('CGT999999'), term: text('term'), definition: text('definition') },
  orderings: { id: byId, term: byText('term') },
  defaultOrdering: 'term',
  search: ({ term, definition }) => [String(term), String(definition)],
  switches: ['to_html'],
  seed: insert(`
    INSERT INTO glossary_term (organization_id, number, term, definition)
    VALUES ($1, 1, '100% our_term', 'What we say.'), ($1, 2, 'another ÖNE\\', 'Something else.')`),
};

const profiles: Resource = {
  name: 'profiles',
  path: '/profiles/',
  key: { field: 'id', shape: /^C?P[1-9]\d*$/, absent: 'CP999999' },
  methods: { list: ['GET'], item: ['GET'] },
  fields: {
    id: { shape: /^C?P[1-9]\d*$/ },
    name: 'string',
    description: 'string',
    answers: { list: { shape: /^C?A[1-9]\d*$/ } },
    default: 'boolean',
    logo_url: { nullable: 'string' },
    active: 'boolean',
    type: { oneOf: ['Built-in', 'Custom'] },
  },
  filters: {
    id: publicId('CP999999'),
    name: text('name'),
    default: boolean('default'),
    active: boolean('active'),
    type: choice('type', ['Built-in', 'Custom']),
  },
  orderings: { id: byId, name: byText('name'), default: byField('default'), active: byField('active') },
  defaultOrdering: 'id',
  search: ({ name, description }) => [String(name), String(description)],
  seed: insert(`
    INSERT INTO profile (organization_id, number, name, description, is_default, active)
    VALUES ($1, 1, '100% our_profile', 'Ours.', true, true), ($1, 2, 'another ÖNE\\', 'Not in use.', false, false)`),
  fill: (test, { id }, rows) =>
    test.database.query(
      `INSERT INTO profile (organization_id, number, name)
       SELECT $1, n, 'Many ' || n FROM generate_series(1001, 1000 + $2::int) n`,
      [id, rows],
    ),
};

const PROMPT_TYPES = ['survey', 'countermeasure', 'weakness', 'threat', 'report'];

const contextFields: FieldTypes = {
  id: 'integer',
  name: 'string',
  content_type: { oneOf: ['library_item', 'project', 'text'] },
  reference: 'string',
  text: 'string',
  ordinal: 'integer',
  active: 'boolean',
};

const workflowPrompts: Resource = {
  name: 'workflow prompts',
  path: '/library/workflow-prompts/',
  key: { field: 'id', shape: /^[1-9]\d*$/, absent: '999999' },
  methods: { list: ['GET', 'POST'], item: ['GET', 'PATCH', 'DELETE'] },
  writers: 'customize_content',
  fields: {
    id: 'integer',
    title: 'string',
    type: { oneOf: PROMPT_TYPES },
    prompt: 'string',
    variables: 'strings',
    active: 'boolean',
    created: 'time',
    updated: 'time',
    created_by: 'user',
    last_updated_by: 'user',
  },
  includes: { contexts: { contexts: { list: { object: contextFields } } } },
  filters: {
    id: integer('id'),
    title: text('title'),
    type: choice('type', PROMPT_TYPES),
    active: boolean('active'),
    created: time('created'),
    updated: time('updated'),
    created_by: integer(userId('created_by')),
    last_updated_by: integer(userId('last_updated_by')),
  },
  orderings: {
    id: byField('id'),
    title: byText('title'),
    type: byField('type'),
    active: byField('active'),
    created: byTime('created'),
    updated: byTime('updated'),
    last_updated_by: byPerson('last_updated_by'),
  },
  defaultOrdering: 'id',
  search: ({ title, prompt }) => [String(title), String(prompt)],
  switches: ['to_html'],
  seed: async (test, { api }) => {
    const editor = await test.newUser({ role: 'UR4', firstName: 'Zoe', lastName: 'Zimmer' });
    for (const [index, title] of ODD_TITLES.entries())
      await bodyOf(
        (index % 2 ? api : editor.api).post('/library/workflow-prompts/', {
          title: unique(title),
          type: PROMPT_TYPES[index % PROMPT_TYPES.length],
          prompt: 'Look at {{it}}.',
          variables: ['it'],
          active: index % 3 > 0,
        }),
        201,
      );
    await bodyOf(api.patch('/library/workflow-prompts/3/', { title: unique('Ours'), active: false }));
  },
  create: {
    status: 201,
    body: () => Promise.resolve({ title: unique('Prompt'), type: 'threat', prompt: 'Hi {{x}}', variables: ['x'] }),
  },
};

const workflowPromptContexts: Resource = {
  name: 'contexts of workflow prompts',
  path: '/library/workflow-prompts/1/contexts/',
  elsewhere: (parent) => `/library/workflow-prompts/${parent}/contexts/`,
  emptyParent: '2',
  key: { field: 'id', shape: /^[1-9]\d*$/, absent: '999999' },
  methods: { list: ['GET', 'POST'], item: ['GET', 'PATCH', 'DELETE'] },
  writers: 'customize_content',
  fields: contextFields,
  filters: {
    id: integer('id'),
    name: text('name'),
    content_type: choice('content_type', ['library_item', 'project', 'text']),
    reference: text('reference'),
    ordinal: integer('ordinal'),
    active: boolean('active'),
  },
  orderings: {
    id: byField('id'),
    name: byText('name'),
    content_type: byField('content_type'),
    ordinal: byField('ordinal'),
    active: byField('active'),
  },
  defaultOrdering: 'ordinal',
  search: ({ name, text: content }) => [String(name), String(content)],
  switches: ['to_html'],
  seed: async (_, { api }) => {
    for (const [index, name] of ODD_TITLES.entries())
      await bodyOf(
        api.post('/library/workflow-prompts/1/contexts/', {
          name: unique(name),
          content_type: ['library_item', 'text'][index % 2],
          reference: index % 2 ? '' : `T${index + 1}`,
          text: `Text ${index}`,
          active: index % 3 > 0,
          ...(index % 4 && { ordinal: index }),
        }),
        201,
      );
  },
  create: { status: 201, body: () => Promise.resolve({ name: unique('Context'), content_type: 'text' }) },
};

/** Phases, rule mappings, regulations, the glossary, profiles and workflow prompts. */
export const REFERENCE_CONTENT: readonly Resource[] = [
  phases,
  ruleMappings,
  regulations,
  regulationSections,
  regulationCoverage,
  glossaryTerms,
  profiles,
  workflowPrompts,
  workflowPromptContexts,
];
