import type { TestApi, TestOrganization } from '../support/api.js';
import { bodyOf, type Json } from '../support/client.js';
import {
  countermeasureBody,
  makeAttribute,
  makeComponent,
  makeCountermeasure,
  makeWeakness,
  unique,
} from '../support/factories.js';
import { SCOPES } from '../support/scopes.js';
import { sessionOf } from '../support/sessions.js';
import {
  boolean,
  choice,
  element,
  form,
  integer,
  microseconds,
  publicId,
  reference,
  type Row,
  text,
  time,
  timeBound,
} from './filters.js';
import { byField, byId, byText, type FieldType, type FieldTypes, type Resource, type SortKey } from './table.js';

export const TYPES = ['Built-in', 'Built-in Modified', 'Custom'];

export const user: FieldType = 'user';
export const answers: FieldType = { list: { shape: /^C?A\d+$/ } };
/** The filter of items with a condition that tests nothing active: the rows here have no such condition. */
export const noneIncomplete = boolean(() => false);
export const conditions = (of: FieldType): FieldTypes => ({
  match_conditions: { list: { object: { id: { shape: /^C?MC\d+$/ }, db_id: 'integer', required: of, excluded: of } } },
});
export const phaseFields: FieldTypes = {
  id: { shape: /^C?X[1-9]\d*$/ },
  db_id: 'integer',
  name: 'string',
  slug: 'string',
  description: 'string',
  tip: 'string',
  ordinal: 'integer',
  active: 'boolean',
  is_custom: 'boolean',
  retain: 'boolean',
};
/** What items rest on. */
export const provenance: FieldTypes = {
  references: 'strings',
  reviewed_at: { nullable: { shape: /^\d{4}-\d\d-\d\d$/ } },
};
const cwes: FieldType = { list: { object: { id: 'integer', title: 'string', url: 'string' } } };

/** The number of a user reference. */
export const userId =
  (field: string) =>
  (row: Row): number =>
    (row[field] as { id: number }).id;
/** A time, to the microsecond. */
export const byTime =
  (field: string) =>
  (row: Row): SortKey[] => {
    const value = row[field];
    return [typeof value === 'string' ? microseconds(value) : null];
  };
/** Last name, first name, number. */
export const byPerson =
  (field: string) =>
  (row: Row): SortKey[] => {
    const {
      last_name: last,
      first_name: first,
      id,
    } = row[field] as { last_name: string; first_name: string; id: number };
    return [last.toLowerCase(), first.toLowerCase(), id];
  };

/** Titles that are difficult to search and sort: wildcards, case, non-ASCII letters, several words. */
export const ODD_TITLES = [
  '100% sure',
  '1000 sure',
  'under_score',
  'underXscore',
  'back\\slash',
  'backslash',
  'Über Gröher ÄÖ',
  'zulu last',
  'ALPHA first',
  'alpha First',
];

const seedContent = async (test: TestApi, { api }: TestOrganization): Promise<void> => {
  const editor = await test.newUser({ role: 'UR4', firstName: 'Zoe', lastName: 'Zimmer' });
  const other = await test.newUser({ role: 'UR4', firstName: 'Amy', lastName: 'abbot' });
  const created = [];
  for (const [index, title] of ODD_TITLES.entries())
    created.push(
      await makeCountermeasure([api, editor.api, other.api][index % 3] ?? api, {
        title: unique(title),
        problem: `P${1 + (index % 4)}`,
        phase: `X${1 + (index % 5)}`,
        priority: 1 + index,
        active: index % 4 !== 0,
        tags: [`tag ${index % 3}`, '100% sure', 'under_score', 'a,b'].slice(0, index % 5),
        match_conditions: index % 2 ? [{ required: ['A1', 'A2'], excluded: ['A3'] }] : [],
      }),
    );
  await bodyOf(
    editor.api.patch('/library/tasks/T3/', { title: unique('Ours'), active: false, tags: [], problem: 'P5' }),
  );
  await bodyOf(api.patch('/library/tasks/T4/', { priority: 1 }));
  await bodyOf(other.api.patch(`/library/tasks/${created[2]?.id}/`, { text: 'changed' }));
};

const countermeasures: Resource = {
  name: 'countermeasures',
  path: '/library/tasks/',
  key: { field: 'id', shape: /^C?T[1-9]\d*$/, absent: 'CT999999' },
  methods: { list: ['GET', 'POST'], item: ['GET', 'PATCH', 'DELETE'] },
  writers: 'customize_content',
  facets: true,
  fields: {
    id: { shape: /^C?T[1-9]\d*$/ },
    db_id: 'integer',
    url: { shape: /^\/library\/tasks\/C?T\d+\/$/ },
    title: 'string',
    text: 'string',
    problem: { shape: /^C?P\d+$/ },
    priority: 'integer',
    phase: { shape: /^C?X\d+$/ },
    active: 'boolean',
    type: { oneOf: TYPES },
    created_by: 'user',
    created_date: 'time',
    last_updated_by: 'user',
    last_updated_date: 'time',
  },
  includes: {
    amendments: {
      amendments: { list: { object: { id: 'string', title: 'string', text: 'string', ordinal: 'integer' } } },
    },
    categories: { categories: 'strings' },
    how_tos: {
      how_tos: { list: { object: { id: 'string', title: 'string', text: 'string', slug: 'string', url: 'string' } } },
    },
    level: { level: 'integer' },
    match_conditions: conditions(answers),
    references: provenance,
    tags: { tags: 'strings' },
    verification_coverage: { verification_coverage: 'strings' },
  },
  expands: {
    answers: {},
    attributes: {},
    phase: { phase: { object: phaseFields } },
    problem: {
      problem: {
        object: {
          id: { shape: /^C?P\d+$/ },
          db_id: 'integer',
          risk_rating: 'integer',
          title: 'string',
          text: 'string',
          cwe: cwes,
        },
      },
    },
  },
  filters: {
    active: boolean('active'),
    id: publicId('CT999999'),
    title: text('title'),
    last_updated_by: integer(userId('last_updated_by')),
    last_updated_date: time('last_updated_date'),
    last_updated_date_from: timeBound('last_updated_date', 'from'),
    last_updated_date_to: timeBound('last_updated_date', 'to'),
    created_date: time('created_date'),
    level: integer('level', { minimum: 1, maximum: 3 }),
    phase: reference('phase', 'X999'),
    priority: integer('priority', { minimum: 1, maximum: 10 }),
    problem: reference('problem', 'P999999'),
    regulation: reference('regulations', 'REG999'),
    tag: element('tags', { repeatable: true }),
    type: choice('type', TYPES),
    match_conditions_incomplete: noneIncomplete,
  },
  orderings: {
    id: byId,
    title: byText('title'),
    active: byField('active'),
    last_update_date: byTime('last_updated_date'),
    last_updated_by: byPerson('last_updated_by'),
    // The five built-in phases are numbered in the order of their ordinals.
    phase: (row) => [Number(String(row['phase']).slice(1))],
    priority: byField('priority'),
  },
  defaultOrdering: 'id',
  search: ({ id, db_id: dbId, title }) => [String(id), String(dbId), String(title)],
  switches: ['absolute_urls', 'to_html', 'show_original'],
  seed: seedContent,
  derive: async (test) => {
    const rows = await test.database.query<{ item_id: string; regulations: string[] }>(
      `SELECT c.item_id, array_agg(DISTINCT r.item_id) AS regulations FROM regulation r
        JOIN regulation_section s ON s.regulation_id = r.id
       JOIN regulation_section_countermeasure n ON n.section_id = s.id
         JOIN countermeasure c ON c.id = n.countermeasure_id GROUP BY 1`,
    );
    const regulationsById = new Map(rows.map((row) => [row.item_id, row.regulations]));
    return (row) => ({ ...row, regulations: regulationsById.get(String(row['id'])) ?? [] });
  },
  create: { status: 200, body: () => Promise.resolve(countermeasureBody() as Json) },
  writeIncludes: ['match_conditions'],
};

const weaknesses: Resource = {
  name: 'weaknesses',
  path: '/library/problems/',
  key: { field: 'id', shape: /^C?P[1-9]\d*$/, absent: 'CP999999' },
  methods: { list: ['GET', 'POST'], item: ['GET', 'PATCH', 'DELETE'] },
  writers: 'customize_content',
  fields: {
    id: { shape: /^C?P[1-9]\d*$/ },
    db_id: 'integer',
    url: { shape: /^\/library\/problems\/C?P\d+\/$/ },
    title: 'string',
    text: 'string',
    risk_rating: 'integer',
    type: { oneOf: TYPES },
    cwe: 'integers',
    created: 'time',
    updated: 'time',
    last_updated_by: 'user',
    active: 'boolean',
  },
  includes: {
    category: { category: 'string' },
    cwe: { cwe: cwes },
    related_tasks: {
      related_tasks: {
        list: {
          object: {
            id: 'string',
            db_id: 'integer',
            title: 'string',
            priority: 'integer',
            text: 'string',
            phase: 'string',
            active: 'boolean',
          },
        },
      },
    },
    match_conditions: conditions(answers),
    references: provenance,
  },
  expands: { answers: {}, attributes: {} },
  filters: {
    id: publicId('CP999999'),
    title: text('title'),
    active: boolean('active'),
    cwe: element('cwe_ids', { integers: true }),
    risk_rating: integer('risk_rating', { minimum: 0, maximum: 10 }),
    type: choice('type', TYPES),
    category: text('category'),
    created: time('created'),
    updated: time('updated'),
    match_conditions_incomplete: noneIncomplete,
  },
  orderings: {
    id: byId,
    title: byText('title'),
    name: byText('title'),
    active: byField('active'),
    risk_rating: byField('risk_rating'),
  },
  defaultOrdering: 'id',
  search: ({ id, title }) => [String(id), String(title)],
  switches: ['absolute_urls', 'to_html', 'show_original'],
  seed: async (_, { api }) => {
    for (const [index, title] of ODD_TITLES.entries())
      await makeWeakness(api, {
        title: unique(title),
        risk_rating: 1 + index,
        active: index % 3 > 0,
        cwe: [79, 89, 20].slice(0, index % 4),
      });
    await bodyOf(api.patch('/library/problems/P3/', { title: unique('Ours'), risk_rating: 1 }));
    await bodyOf(api.patch('/library/problems/P4/', { active: false }));
  },
  derive: () => Promise.resolve((row) => ({ ...row, cwe_ids: (row['cwe'] as { id: number }[]).map(({ id }) => id) })),
  create: { status: 200, body: () => Promise.resolve({ title: unique('Weakness'), text: 'x', risk_rating: 3 }) },
  writeIncludes: ['match_conditions'],
};

const withinCountermeasure = (kind: 'amendments' | 'implementations', letters: string): Resource => {
  const path = `/library/tasks/T5/${kind}/`;
  const shape = new RegExp(`^C?${letters}[1-9]\\d*$`);
  return {
    name: kind === 'amendments' ? 'additional requirements' : 'how-tos',
    path,
    elsewhere: (parent) => `/library/tasks/${parent}/${kind}/`,
    key: { field: 'id', shape, absent: `C${letters}999999` },
    methods: { list: ['GET', 'POST'], item: ['GET', 'PATCH', 'DELETE'] },
    writers: 'customize_content',
    fields: {
      id: { shape },
      db_id: 'integer',
      title: 'string',
      text: 'string',
      type: { oneOf: TYPES },
      ...(kind === 'amendments' ? { ordinal: 'integer' as const } : { slug: 'string' as const }),
      active: 'boolean',
      created_by: 'user',
      created_date_time: 'time',
      last_updated_by: 'user',
      last_updated_date: 'time',
    },
    includes: {
      match_conditions: conditions(answers),
      references: { ...provenance, ...(kind === 'implementations' && { versions: 'string' as const }) },
    },
    expands: { answers: {}, attributes: {} },
    filters: {
      active: boolean('active'),
      id: publicId(`C${letters}999999`),
      title: text('title'),
      type: choice('type', TYPES),
      last_updated_by: integer(userId('last_updated_by')),
      last_updated_date: time('last_updated_date'),
      match_conditions_incomplete: noneIncomplete,
    },
    itemFilters: ['active'],
    orderings: {
      id: byId,
      title: byText('title'),
      active: byField('active'),
      last_update_date: byTime('last_updated_date'),
      ...(kind === 'amendments' && { ordinal: byField('ordinal') }),
    },
    defaultOrdering: kind === 'amendments' ? 'ordinal' : 'id',
    search: ({ id, db_id: dbId, title }) => [String(id), String(dbId), String(title)],
    switches: ['to_html', 'show_original'],
    seed: async (test, { api }) => {
      const editor = await test.newUser({ role: 'UR4' });
      for (const [index, title] of ODD_TITLES.entries())
        await bodyOf(
          (index % 2 ? api : editor.api).post(path, {
            title: unique(title),
            text: 'x',
            active: index % 3 > 0,
            match_conditions: index % 2 ? [{ required: ['A1'], excluded: ['A2'] }] : [],
          }),
        );
    },
    create: { status: 200, body: () => Promise.resolve({ title: unique('Part'), text: 'x' }) },
    writeIncludes: ['match_conditions'],
  };
};

const attributeId: FieldType = { shape: /^C?AT[1-9]\d*$/ };

const attributes: Resource = {
  name: 'attributes',
  path: '/library/attributes/',
  key: { field: 'id', shape: /^C?AT[1-9]\d*$/, absent: 'CAT999999' },
  methods: { list: ['GET', 'POST'], item: ['GET', 'PATCH', 'DELETE'] },
  writers: 'customize_content',
  fields: {
    id: attributeId,
    db_id: 'integer',
    name: 'string',
    description: 'string',
    type: { oneOf: ['Built-in', 'Custom'] },
    is_custom: 'boolean',
    active: 'boolean',
    parent: { nullable: attributeId },
    path: { list: attributeId },
    depth: 'integer',
    created: 'time',
    updated: 'time',
  },
  expands: { path: { path: { list: { object: { id: attributeId, name: 'string' } } } } },
  filters: {
    id: publicId('CAT999999'),
    name: text('name'),
    type: choice('type', ['Built-in', 'Custom']),
    is_custom: boolean('is_custom'),
    active: boolean('active'),
    parent: reference('parent', 'AT999999'),
    depth: integer('depth'),
    created: time('created'),
    updated: time('updated'),
  },
  orderings: {
    id: byId,
    name: byText('name'),
    depth: byField('depth'),
    active: byField('active'),
    created: byTime('created'),
    updated: byTime('updated'),
  },
  defaultOrdering: 'id',
  search: ({ id, name, description }) => [String(id), String(name), String(description)],
  seed: async (_, { api }) => {
    let parent = 'AT3';
    for (const [index, title] of ODD_TITLES.entries()) {
      const { id } = await makeAttribute(api, {
        name: unique(title),
        description: ODD_TITLES.at(-index),
        active: index % 3 > 0,
        parent: index % 2 ? parent : null,
      });
      parent = id;
    }
    await bodyOf(api.patch('/library/attributes/AT4/', { active: false }));
  },
  create: { status: 201, body: () => Promise.resolve({ name: unique('Attribute'), parent: 'AT1' }) },
};

/** Inserts rows into tables that the API does not write yet, for this organization. */
export const insert =
  (statement: string) =>
  async (test: TestApi, { id }: TestOrganization): Promise<void> => {
    await test.database.query(statement, [id]);
  };

const tags: Resource = {
  name: 'tags',
  path: '/library/tags/',
  key: { field: 'name', shape: /^.+$/s, absent: 'no such tag' },
  methods: { list: ['GET'] },
  fields: { name: 'string', count: 'integer' },
  filters: { name: text('name'), count: integer('count') },
  orderings: { name: byText('name'), count: byField('count') },
  defaultOrdering: 'name',
  search: ({ name }) => [String(name)],
  seed: async (_, { api }) => {
    await makeCountermeasure(api, { tags: ['Only 100% ours', 'under_score', 'ÄÖ', 'back\\slash'] });
    await makeCountermeasure(api, { tags: ['Only 100% ours'], active: false });
  },
};

const categories: Resource = {
  name: 'categories',
  path: '/library/categories/',
  key: { field: 'id', shape: /^[1-9]\d*$/, absent: '999999' },
  methods: { list: ['GET'] },
  fields: { id: 'integer', name: 'string' },
  filters: { id: integer('id'), name: text('name') },
  orderings: { id: byField('id'), name: byText('name') },
  defaultOrdering: 'name',
  search: ({ name }) => [String(name)],
};

const cweTable: Resource = {
  name: 'CWEs',
  path: '/library/cwes/',
  key: { field: 'id', shape: /^[1-9]\d*$/, absent: '999999' },
  methods: { list: ['GET'], item: ['GET'] },
  fields: {
    id: 'integer',
    title: 'string',
    url: { shape: /^https:\/\/cwe\.mitre\.org\/data\/definitions\/\d+\.html$/ },
    abstraction: 'string',
    status: 'string',
    parents: 'integers',
    capecs: 'integers',
  },
  filters: {
    id: integer('id'),
    title: text('title'),
    abstraction: text('abstraction'),
    status: text('status'),
    parent: element('parents', { integers: true }),
    capec: element('capecs', { integers: true }),
  },
  orderings: { id: byField('id'), title: byText('title') },
  defaultOrdering: 'id',
  search: ({ id, title }) => [String(id), String(title)],
};

const surveyAnswers: Resource = {
  name: 'answers',
  path: '/library/answers/',
  key: { field: 'id', shape: /^C?A[1-9]\d*$/, absent: 'CA999999' },
  methods: { list: ['GET'], item: ['GET'] },
  fields: {
    id: { shape: /^C?A[1-9]\d*$/ },
    text: 'string',
    description: 'string',
    display_text: 'string',
    is_active: 'boolean',
    question: { shape: /^C?Q\d+$/ },
    section: { shape: /^C?S\d+$/ },
    subsection: { shape: /^C?SS\d+$/ },
    subquestion: { nullable: { shape: /^C?SQ\d+$/ } },
    attributes: { list: { shape: /^C?AT\d+$/ } },
  },
  filters: {
    id: publicId('CA999999'),
    text: text('text'),
    question: reference('question', 'Q999'),
    section: reference('section', 'S999'),
    subsection: reference('subsection', 'SS999'),
    display_text: text('display_text'),
    subquestion: reference('subquestion', 'SQ999'),
    attribute: reference('attributes', 'AT999999'),
    is_active: boolean('is_active'),
  },
  orderings: { id: byId, text: byText('text'), is_active: byField('is_active') },
  defaultOrdering: 'id',
  search: ({ id, text: words, display_text: display }) => [String(id), String(words), String(display)],
  seed: insert(`INSERT INTO survey_answer (organization_id, number, question_id, text, display_text, is_active, ordinal)
    SELECT $1, n, q.id, t, 'Shown ' || n, n <> 2, 1 FROM (VALUES (1, '100% our_answer'), (2, 'back\\slash Ö')) v(n, t),
    (SELECT id FROM survey_question WHERE item_id = 'Q2') q`),
};

const answersOfQuestion: FieldType = { list: { object: { id: { shape: /^C?A\d+$/ }, text: 'string' } } };

const questions: Resource = {
  name: 'questions',
  path: '/library/questions/',
  key: { field: 'id', shape: /^C?Q[1-9]\d*$/, absent: 'CQ999999' },
  methods: { list: ['GET'], item: ['GET'] },
  fields: {
    id: { shape: /^C?Q[1-9]\d*$/ },
    text: 'string',
    description: 'string',
    format: { oneOf: ['MC', 'SC'] },
    section: { shape: /^C?S\d+$/ },
    subsection: { shape: /^C?SS\d+$/ },
    depends_on: answers,
    answers: answersOfQuestion,
    subquestions: { list: { object: { id: { shape: /^C?SQ\d+$/ }, text: 'string', answers: answersOfQuestion } } },
  },
  filters: {
    id: publicId('CQ999999'),
    text: text('text'),
    depends_on: reference('depends_on', 'A999999'),
    format: choice('format', ['MC', 'SC']),
    section: reference('section', 'S999'),
    subsection: reference('subsection', 'SS999'),
  },
  orderings: { id: byId, text: byText('text') },
  defaultOrdering: 'id',
  search: ({ id, text: words }) => [String(id), String(words)],
  seed: insert(`INSERT INTO survey_question (organization_id, number, subsection_id, text, format, ordinal)
    SELECT $1, 1, s.id, '100% our_question\\', 'SC', 9 FROM survey_subsection s WHERE s.item_id = 'SS1'`),
};

const sections: Resource = {
  name: 'sections',
  path: '/library/sections/',
  key: { field: 'id', shape: /^C?S[1-9]\d*$/, absent: 'CS999999' },
  methods: { list: ['GET'], item: ['GET'] },
  fields: {
    id: { shape: /^C?S[1-9]\d*$/ },
    title: 'string',
    ordinal: 'integer',
    subsections: { list: { object: { id: { shape: /^C?SS\d+$/ }, title: 'string', questions: 'strings' } } },
  },
  filters: { id: publicId('CS999999'), title: text('title'), ordinal: integer('ordinal') },
  orderings: { id: byId, title: byText('title'), ordinal: byField('ordinal') },
  defaultOrdering: 'ordinal',
  search: ({ title }) => [String(title)],
  seed: insert(
    `INSERT INTO survey_section (organization_id, number, title, ordinal)
      VALUES ($1, 1, '100% our_section', 3), ($1, 2, 'Back\\slash', 99)`,
  ),
};

/** The address of an icon's image. */
const ICON_URL = /^\/static\/components\/icons\/[a-z0-9-]+\.svg$/;

const expandedCountermeasures: FieldType = {
  list: { object: { id: { shape: /^C?T\d+$/ }, title: 'string', url: 'string', active: 'boolean' } },
};

const components: Resource = {
  name: 'components',
  path: '/library/components/',
  key: { field: 'id', shape: /^C?SC[1-9]\d*$/, absent: 'CSC999999' },
  methods: { list: ['GET', 'POST'], item: ['GET', 'PATCH', 'DELETE'] },
  writers: 'customize_content',
  fields: {
    id: { shape: /^C?SC[1-9]\d*$/ },
    db_id: 'integer',
    url: { shape: /^\/library\/components\/C?SC\d+\/$/ },
    type: { oneOf: TYPES },
    is_custom: 'boolean',
    title: 'string',
    description: 'string',
    category: 'string',
    created: 'time',
    updated: 'time',
    answer_mapping: { nullable: { shape: /^C?A\d+$/ } },
    tasks_implemented: { list: { shape: /^C?T\d+$/ } },
    tasks_introduced: { list: { shape: /^C?T\d+$/ } },
    hidden: 'boolean',
    implied_attributes: { list: { shape: /^C?AT\d+$/ } },
    icon_slug: { shape: /^[a-z0-9-]+$/ },
    icon_url: { shape: ICON_URL },
  },
  includes: {
    component_questions: {
      component_questions: {
        list: {
          object: { question: { shape: /^C?AQ\d+$/ }, parent_answer: { nullable: { shape: /^C?AA\d+$/ } } },
        },
      },
    },
  },
  expands: {
    tasks: { tasks_implemented: expandedCountermeasures, tasks_introduced: expandedCountermeasures },
    answer_mapping: {
      answer_mapping: {
        nullable: {
          object: {
            id: { shape: /^C?A\d+$/ },
            text: 'string',
            is_active: 'boolean',
            section_title: 'string',
            subsection_text: 'string',
            question_text: 'string',
            subquestion_text: { nullable: 'string' },
          },
        },
      },
    },
    implied_attributes: {
      implied_attributes: { list: { object: { id: 'integer', item_id: { shape: /^C?AT\d+$/ }, name: 'string' } } },
    },
  },
  filters: {
    id: publicId('CSC999999'),
    title: text('title'),
    type: choice('type', TYPES),
    is_custom: boolean('is_custom'),
    hidden: boolean('hidden'),
    category: text('category'),
    icon_slug: text('icon_slug'),
    answer_mapping: reference('answer_mapping', 'A999999'),
    tasks_implemented: reference('tasks_implemented', 'T999999'),
    tasks_introduced: reference('tasks_introduced', 'T999999'),
    implied_attributes: reference('implied_attributes', 'AT999999'),
    component_questions: reference(
      (row) => (row['component_questions'] as { question: string }[]).map(({ question }) => question),
      'AQ999999',
    ),
    created: time('created'),
    updated: time('updated'),
  },
  orderings: { title: byText('title'), last_update_date_time: byTime('updated'), hidden: byField('hidden') },
  defaultOrdering: 'title',
  search: ({ title }) => [String(title)],
  switches: ['absolute_urls', 'to_html', 'show_original'],
  seed: async (_, { api }) => {
    const { id } = await makeAttribute(api);
    const own = await makeCountermeasure(api);
    for (const [index, title] of ODD_TITLES.entries())
      await makeComponent(api, {
        title: unique(title),
        hidden: index % 3 > 0,
        answer_mapping: index % 2 ? `A${index}` : null,
        tasks_implemented: [own.id, 'T2', 'T1'].slice(0, index % 4),
        tasks_introduced: index % 2 ? ['T9', 'T8'] : [],
        implied_attributes: ['AT1', id].slice(0, index % 3),
        component_questions: [{ question: 'AQ2' }, { question: 'AQ1', parent_answer: 'AA3' }].slice(0, index % 3),
        ...(index % 2 && { icon_slug: 'webhook' }),
      });
    await bodyOf(api.patch('/library/components/SC3/', { title: unique('Ours'), hidden: true, answer_mapping: null }));
    await bodyOf(api.patch('/library/components/SC4/', { tasks_introduced: [own.id], component_questions: [] }));
  },
  create: { status: 201, body: () => Promise.resolve({ title: unique('Component') }) },
  writeIncludes: ['component_questions'],
};

const componentQuestions: Resource = {
  name: 'component questions',
  path: '/library/componentquestions/',
  key: { field: 'id', shape: /^C?AQ[1-9]\d*$/, absent: 'CAQ999999' },
  methods: { list: ['GET'], item: ['GET'] },
  fields: {
    id: { shape: /^C?AQ[1-9]\d*$/ },
    db_id: 'integer',
    text: 'string',
    description: 'string',
    question_type: { oneOf: ['MC', 'SC'] },
    answers: {
      list: {
        object: {
          id: { shape: /^C?AA\d+$/ },
          text: 'string',
          description: 'string',
          attribute: { nullable: { shape: /^C?AT\d+$/ } },
        },
      },
    },
    created: 'time',
    updated: 'time',
  },
  includes: {
    components: {
      components: {
        list: {
          object: {
            id: { shape: /^C?SC\d+$/ },
            title: 'string',
            parent_answer: { nullable: { shape: /^C?AA\d+$/ } },
          },
        },
      },
    },
  },
  filters: {
    id: publicId('CAQ999999'),
    text: text('text'),
    question_type: choice('question_type', ['MC', 'SC']),
    component: reference((row) => (row['components'] as { id: string }[]).map(({ id }) => id), 'SC999999'),
    filtered_component_only: form,
  },
  orderings: { id: byId, text: byText('text') },
  defaultOrdering: 'id',
  search: ({ id, text: words, description }) => [String(id), String(words), String(description)],
  seed: async (test, organization) => {
    await insert(`WITH made AS (
      INSERT INTO component_question (organization_id, number, text, question_type)
      VALUES ($1, 1, '100% our_question\\', 'SC'), ($1, 2, 'another ÖNE', 'MC') RETURNING id, organization_id)
      INSERT INTO component_answer (organization_id, number, question_id, text, ordinal)
      SELECT organization_id, row_number() OVER (), id, 'Yes', 1 FROM made`)(test, organization);
    const questionnaire = [{ question: 'CAQ1' }, { question: 'AQ3', parent_answer: 'CAA1' }];
    await makeComponent(organization.api, { component_questions: questionnaire });
    await bodyOf(
      organization.api.patch('/library/components/SC2/', { component_questions: questionnaire.slice(0, 1) }),
    );
  },
};

const componentIcons: Resource = {
  name: 'component icons',
  path: '/library/component-icons/',
  key: { field: 'slug', shape: /^[a-z0-9]+(-[a-z0-9]+)*$/, absent: 'no-such-icon' },
  methods: { list: ['GET'] },
  fields: { slug: { shape: /^[a-z0-9-]+$/ }, name: 'string', url: { shape: ICON_URL } },
  filters: { slug: text('slug'), name: text('name') },
  orderings: { slug: (row) => [String(row['slug'])], name: byText('name') },
  defaultOrdering: 'slug',
  search: ({ slug, name, keywords }) => [String(slug), String(name), String(keywords)],
  derive: async (test) => {
    const rows = await test.database.query<{ slug: string; keywords: string }>(
      'SELECT slug, keywords FROM component_icon',
    );
    const keywords = new Map(rows.map((row) => [row.slug, row.keywords]));
    return (row) => ({ ...row, keywords: keywords.get(String(row['slug'])) ?? '' });
  },
};

const roleObject: FieldType = { object: { id: 'string', name: 'string' } };

const users: Resource = {
  name: 'users',
  path: '/users/',
  key: { field: 'id', shape: /^[1-9]\d*$/, absent: '999999' },
  methods: { list: ['GET', 'POST'], item: ['GET', 'PATCH'] },
  fullView: 'manage_users',
  writers: 'manage_users',
  fields: {
    id: 'integer',
    email: 'string',
    first_name: 'string',
    last_name: 'string',
    role: { shape: /^(UR|CU)[1-9]\d*$/ },
    is_active: 'boolean',
    is_superuser: 'boolean',
    is_service_account: 'boolean',
    groups: { list: { shape: /^G[1-9]\d*$/ } },
    last_login: { nullable: 'time' },
    date_joined: 'time',
  },
  expands: { role: { role: roleObject } },
  filters: {
    id: integer('id'),
    email: text('email'),
    first_name: text('first_name'),
    last_name: text('last_name'),
    is_active: boolean('is_active'),
    is_superuser: boolean('is_superuser'),
    is_service_account: boolean('is_service_account'),
    role: reference('role', 'UR999'),
    group: reference('groups', 'G999999'),
  },
  orderings: {
    id: byField('id'),
    email: byText('email'),
    first_name: byText('first_name'),
    last_name: byText('last_name'),
    last_login: byTime('last_login'),
    date_joined: byTime('date_joined'),
  },
  defaultOrdering: 'id',
  search: ({ email, first_name: first, last_name: last }) => [String(email), String(first), String(last)],
  seed: async (test, { api }) => {
    const group = await bodyOf(api.post<{ id: string }>('/groups/', { name: unique('Group') }), 201);
    for (const [index, name] of ODD_TITLES.entries())
      await bodyOf(
        api.post('/users/', {
          email: `${unique('odd').replace(' ', '_')}@example.com`,
          first_name: name,
          last_name: ODD_TITLES.at(-index),
          role: ['UR1', 'UR2', 'UR4', 'UR5'][index % 4],
          is_active: index % 3 > 0,
          groups: index % 2 ? [group.id] : [],
        }),
        201,
      );
    await test.database.query(`UPDATE user_account SET last_login_at = clock_timestamp() WHERE id % 3 = 0`);
  },
  create: {
    status: 201,
    body: () =>
      Promise.resolve({
        email: `${unique('new').replace(' ', '.')}@example.com`,
        first_name: 'New',
        last_name: 'User',
      }),
  },
};

const groups: Resource = {
  name: 'groups',
  path: '/groups/',
  key: { field: 'id', shape: /^G[1-9]\d*$/, absent: 'G999999' },
  methods: { list: ['GET', 'POST'], item: ['GET', 'PATCH', 'DELETE'] },
  fullView: 'manage_users',
  writers: 'manage_users',
  fields: {
    id: { shape: /^G[1-9]\d*$/ },
    name: 'string',
    description: 'string',
    role: { nullable: { shape: /^(UR|CU)[1-9]\d*$/ } },
    users: 'integers',
    updated: 'time',
  },
  expands: { role: { role: { nullable: roleObject } } },
  filters: {
    id: publicId('G999999'),
    name: text('name'),
    role: reference('role', 'UR999'),
    user: element('users', { integers: true }),
    updated: time('updated'),
  },
  orderings: { id: byId, name: byText('name'), updated: byTime('updated') },
  defaultOrdering: 'id',
  search: ({ name, description }) => [String(name), String(description)],
  seed: async (test, { api, admin }) => {
    const { id } = await test.newUser();
    for (const [index, name] of ODD_TITLES.entries())
      await bodyOf(
        api.post('/groups/', {
          name: unique(name),
          description: `${ODD_TITLES.at(-index)}`,
          role: index % 2 ? 'UR2' : null,
          users: [id, admin.id].slice(0, index % 3),
        }),
        201,
      );
  },
  create: { status: 201, body: () => Promise.resolve({ name: unique('Group') }) },
};

const globalRoles: Resource = {
  name: 'global roles',
  path: '/global-roles/',
  key: { field: 'id', shape: /^(UR|CU)[1-9]\d*$/, absent: 'CU999999' },
  methods: { list: ['GET', 'POST'], item: ['GET', 'PATCH', 'DELETE'] },
  writers: 'manage_users',
  fields: {
    id: { shape: /^(UR|CU)[1-9]\d*$/ },
    name: 'string',
    description: 'string',
    permissions: 'strings',
    is_custom: 'boolean',
  },
  filters: { id: publicId('CU999999'), name: text('name'), is_custom: boolean('is_custom') },
  orderings: { id: byId, name: byText('name') },
  defaultOrdering: 'id',
  search: ({ name, description }) => [String(name), String(description)],
  seed: async (_, { api }) => {
    for (const name of ODD_TITLES)
      await bodyOf(
        api.post('/global-roles/', {
          name: unique(name),
          description: 'ours',
          permissions: ['edit_connections', 'add_project'],
        }),
        201,
      );
  },
  create: { status: 201, body: () => Promise.resolve({ name: unique('Role') }) },
};

const tokens: Resource = {
  name: 'tokens',
  path: '/users/me/tokens/',
  key: { field: 'id', shape: /^[1-9]\d*$/, absent: '999999' },
  methods: { list: ['GET', 'POST'], item: ['DELETE'] },
  owner: 'caller',
  volatile: ['last_used', 'last_used_address'],
  fields: {
    id: 'integer',
    name: 'string',
    prefix: { nullable: { shape: /^mrl_[a-z2-7]{8}$/ } },
    scopes: { list: { oneOf: ['*', ...SCOPES, 'admin'] } },
    projects: { nullable: { list: 'integer' } },
    created: 'time',
    expires: { nullable: 'time' },
    last_used: { nullable: 'time' },
    last_used_address: { nullable: 'string' },
  },
  filters: { id: integer('id'), name: text('name') },
  orderings: {
    id: byField('id'),
    name: byText('name'),
    created: byTime('created'),
    expires: byTime('expires'),
    last_used: byTime('last_used'),
  },
  defaultOrdering: 'id',
  search: ({ name }) => [String(name)],
  seed: async (_, { api }) => {
    for (const [index, name] of ODD_TITLES.entries())
      await bodyOf(
        api.post('/users/me/tokens/', {
          name: unique(name),
          expires: index % 2 ? `20${90 + index}-01-01T00:00:00.000001Z` : null,
        }),
        201,
      );
  },
};

const sessions: Resource = {
  name: 'sessions',
  path: '/users/me/sessions/',
  key: { field: 'id', shape: /^[1-9]\d*$/, absent: '999999' },
  methods: { list: ['GET'], item: ['GET', 'DELETE'] },
  owner: 'caller',
  volatile: ['last_used'],
  fields: {
    id: 'integer',
    created: 'time',
    last_used: 'time',
    expires: 'time',
    address: 'string',
    user_agent: 'string',
    credential: { oneOf: ['password', 'oidc'] },
    current: 'boolean',
  },
  filters: { id: integer('id') },
  orderings: {
    id: byField('id'),
    created: byTime('created'),
    last_used: byTime('last_used'),
    expires: byTime('expires'),
  },
  defaultOrdering: 'id',
  search: ({ user_agent, address }) => [String(user_agent), String(address)],
  seed: async (test, { admin }) => {
    for (const title of ODD_TITLES) await sessionOf(test, admin.id, unique(title));
  },
};

const identityProviders: Resource = {
  name: 'identity providers',
  path: '/identity-providers/',
  key: { field: 'id', shape: /^[1-9]\d*$/, absent: '999999' },
  methods: { list: ['GET', 'POST'], item: ['GET', 'PATCH', 'DELETE'] },
  readers: 'super-users',
  fields: {
    id: 'integer',
    name: 'string',
    issuer: 'string',
    client_id: 'string',
    scopes: 'strings',
    create_users: 'boolean',
    default_role: { shape: /^(UR|CU)[1-9]\d*$/ },
    domains: 'strings',
    active: 'boolean',
    claims: { object: { email: 'string', first_name: 'string', last_name: 'string', groups: 'string' } },
    group_mappings: { list: 'json' },
    created: 'time',
    updated: 'time',
  },
  filters: {
    id: integer('id'),
    name: text('name'),
    active: boolean('active'),
    created: time('created'),
    updated: time('updated'),
  },
  orderings: { id: byField('id'), name: byText('name'), created: byTime('created'), updated: byTime('updated') },
  defaultOrdering: 'id',
  search: ({ name, issuer }) => [String(name), String(issuer)],
  seed: async (_, { api }) => {
    for (const [index, name] of ODD_TITLES.entries())
      await bodyOf(
        api.post('/identity-providers/', {
          name: unique(name),
          issuer: `https://login${index}.example.com`,
          client_id: 'merlon',
          client_secret: 'secret',
          active: index % 2 === 0,
          domains: ['example.com'],
          group_mappings: [{ group: 'developers', role: 'UR2' }],
        }),
        201,
      );
  },
  create: {
    status: 201,
    body: () => Promise.resolve({ name: unique('Provider'), issuer: 'https://login.example.com', client_id: 'merlon' }),
  },
};

const flags: Resource = {
  name: 'flags',
  path: '/flags/',
  key: { field: 'name', shape: /^\w+$/, absent: 'NO_SUCH_FLAG' },
  methods: { list: ['GET', 'POST'], item: ['DELETE'] },
  writers: 'manage_features',
  fields: { name: { shape: /^(Webhooks|[A-Z0-9_]+)$/ } },
  filters: { name: text('name') },
  orderings: { name: byText('name') },
  defaultOrdering: 'name',
  search: ({ name }) => [String(name)],
  seed: async (_, { api }) => {
    for (const name of ['UNDER_SCORE', 'UNDERXSCORE', 'ANOTHER1']) await bodyOf(api.post('/flags/', { name }), 201);
  },
  create: { status: 201, body: () => Promise.resolve({ name: `FLAG_${unique('').trim().toUpperCase()}` }) },
};

/** The resources of the library. */
export const LIBRARY: readonly Resource[] = [
  countermeasures,
  weaknesses,
  withinCountermeasure('amendments', 'TA'),
  withinCountermeasure('implementations', 'I'),
  attributes,
  components,
];

/** Resources to which library content refers. */
export const REFERENCE: readonly Resource[] = [
  tags,
  categories,
  cweTable,
  surveyAnswers,
  questions,
  sections,
  componentQuestions,
  componentIcons,
];

const savedViews: Resource = {
  name: 'saved views',
  path: '/users/me/views/',
  key: { field: 'id', shape: /^[1-9]\d*$/, absent: '999999' },
  methods: { list: ['GET', 'POST'], item: ['GET', 'PATCH', 'DELETE'] },
  owner: 'caller',
  fields: {
    id: 'integer',
    name: 'string',
    page: 'string',
    query: 'json',
    shared: 'boolean',
    owner: 'user',
    created: 'time',
    updated: 'time',
  },
  filters: {
    id: integer('id'),
    name: text('name'),
    page_name: text('page'),
    shared: boolean('shared'),
  },
  orderings: {
    id: byField('id'),
    name: byText('name'),
    page: byField('page'),
    created: byTime('created'),
    updated: byTime('updated'),
  },
  defaultOrdering: 'id',
  search: ({ name, page }) => [String(name), String(page)],
  seed: async (_, { api }) => {
    for (const [index, title] of ODD_TITLES.entries()) {
      const body = { name: unique(title), page: index % 2 ? 'projects' : 'tasks', query: { title }, shared: index > 3 };
      await bodyOf(api.post('/users/me/views/', body), 201);
    }
  },
  create: {
    status: 201,
    body: () => Promise.resolve({ name: unique('View'), page: 'tasks', query: { status: 'TS2' }, shared: true }),
  },
};

/** Users, their groups, roles and tokens, and flags. */
export const ACCESS: readonly Resource[] = [
  users,
  groups,
  globalRoles,
  tokens,
  sessions,
  savedViews,
  identityProviders,
  flags,
];
