import { bodyOf } from '../support/client.js';
import { makeThreat, makeWeakness, unique } from '../support/factories.js';
import { boolean, choice, element, type FilterContract, integer, publicId, reference, text, time } from './filters.js';
import {
  answers,
  byPerson,
  byTime,
  conditions,
  noneIncomplete,
  ODD_TITLES,
  provenance,
  TYPES,
  user,
  userId,
} from './resources.js';
import { byField, byId, byText, type Resource } from './table.js';

/** One of a closed set, or null: a list of the whole set finds all rows except those with null. */
const choiceOrNull = (field: string, choices: readonly string[]): FilterContract => {
  const plain = choice(field, choices);
  return {
    ...plain,
    cases: (name, rows) =>
      plain.cases(name, rows).map((one) => ({
        ...one,
        matches: (row) => (one.parameter.endsWith('__isnull') || row[field] !== null) && one.matches(row),
      })),
  };
};

const threats: Resource = {
  name: 'threats',
  path: '/library/threats/',
  key: { field: 'id', shape: /^C?TH[1-9]\d*$/, absent: 'CTH999999' },
  methods: { list: ['GET', 'POST'], item: ['GET', 'PATCH', 'DELETE'] },
  writers: 'customize_content',
  fields: {
    id: { shape: /^C?TH[1-9]\d*$/ },
    db_id: 'integer',
    url: { shape: /^\/library\/threats\/C?TH\d+\/$/ },
    title: 'string',
    text: 'string',
    severity: 'integer',
    type: { oneOf: TYPES },
    active: 'boolean',
    capecs: 'integers',
    problems: { list: { shape: /^C?P\d+$/ } },
    maestro: { list: { shape: /^L[1-7]$/ } },
    mitre_attack: { list: { shape: /^(TA\d{4}|T\d{4}(\.\d{3})?)$/ } },
    mitre_emb3d: { list: { shape: /^TID-\d{3}$/ } },
    stride: { list: { shape: /^[STRIDE]$/ } },
    created_by: user,
    created_date: 'time',
    last_updated_by: user,
    last_updated_date: 'time',
  },
  includes: { match_conditions: conditions(answers), references: provenance },
  expands: { answers: {}, attributes: {} },
  filters: {
    active: boolean('active'),
    capec: element('capecs', { integers: true }),
    created_date: time('created_date'),
    framework: reference('frameworks', 'no-such-framework'),
    id: publicId('CTH999999'),
    last_updated_by: integer(userId('last_updated_by')),
    last_updated_date: time('last_updated_date'),
    maestro: element('maestro'),
    match_conditions_incomplete: noneIncomplete,
    mitre_attack: element('mitre_attack'),
    mitre_emb3d: element('mitre_emb3d'),
    problem: reference('problems', 'P999999'),
    severity: integer('severity', { minimum: 1, maximum: 10 }),
    stride: element('stride'),
    title: text('title'),
    type: choice('type', TYPES),
  },
  orderings: {
    id: byId,
    title: byText('title'),
    active: byField('active'),
    last_update_date: byTime('last_updated_date'),
    last_updated_by: byPerson('last_updated_by'),
    severity: byField('severity'),
  },
  defaultOrdering: 'id',
  search: ({ id, db_id: dbId, title }) => [String(id), String(dbId), String(title)],
  switches: ['absolute_urls', 'to_html', 'show_original'],
  seed: async (test, { api }) => {
    const editor = await test.newUser({ role: 'UR4', firstName: 'Zoe', lastName: 'Zimmer' });
    const weakness = await makeWeakness(api);
    for (const [index, title] of ODD_TITLES.entries())
      await makeThreat(index % 2 ? api : editor.api, {
        title: unique(title),
        severity: 1 + index,
        active: index % 4 !== 0,
        capecs: [66, 108, 63].slice(0, index % 4),
        problems: ['P3', weakness.id].slice(0, index % 3),
        stride: ['S', 'E'].slice(0, index % 3),
        maestro: ['L1', 'L7'].slice(index % 3),
        match_conditions: index % 2 ? [{ required: ['A1', 'A2'], excluded: ['A3'] }] : [],
      });
    await bodyOf(
      editor.api.patch('/library/threats/TH3/', { title: unique('Ours'), active: false, problems: [], stride: [] }),
    );
    await bodyOf(api.patch('/library/threats/TH4/', { severity: 1, capecs: [] }));
  },
  derive: () =>
    Promise.resolve((row) => {
      const slugs = { stride: 'stride', mitre_emb3d: 'mitre-emb3d', maestro: 'maestro', mitre_attack: 'mitre-attack' };
      const filledFields = Object.entries(slugs).filter(([field]) => (row[field] as string[]).length > 0);
      return { ...row, frameworks: filledFields.map(([, slug]) => slug) };
    }),
  create: { status: 201, body: () => Promise.resolve({ title: unique('Threat'), text: 'x', severity: 3 }) },
  writeIncludes: ['match_conditions'],
};

const capecs: Resource = {
  name: 'CAPECs',
  path: '/library/capecs/',
  key: { field: 'id', shape: /^[1-9]\d*$/, absent: '999999' },
  methods: { list: ['GET'], item: ['GET'] },
  fields: {
    id: 'integer',
    title: 'string',
    url: { shape: /^https:\/\/capec\.mitre\.org\/data\/definitions\/\d+\.html$/ },
    abstraction: { oneOf: ['Meta', 'Standard', 'Detailed'] },
    likelihood: { nullable: { oneOf: ['Low', 'Medium', 'High'] } },
    severity: { nullable: { oneOf: ['Very Low', 'Low', 'Medium', 'High', 'Very High'] } },
    cwes: 'integers',
  },
  filters: {
    id: integer('id'),
    title: text('title'),
    abstraction: choice('abstraction', ['Meta', 'Standard', 'Detailed']),
    likelihood: choiceOrNull('likelihood', ['Low', 'Medium', 'High']),
    severity: choiceOrNull('severity', ['Very Low', 'Low', 'Medium', 'High', 'Very High']),
    cwe: element('cwes', { integers: true }),
  },
  orderings: { id: byField('id'), title: byText('title') },
  defaultOrdering: 'id',
  search: ({ id, title }) => [String(id), String(title)],
};

const frameworks: Resource = {
  name: 'threat frameworks',
  path: '/library/threat-frameworks/',
  key: { field: 'id', shape: /^[1-9]\d*$/, absent: '999999' },
  methods: { list: ['GET'], item: ['GET'] },
  fields: {
    id: 'integer',
    slug: { shape: /^[a-z0-9-]+$/ },
    name: 'string',
    version: 'string',
    url: { shape: /^https:\/\// },
    entries_count: 'integer',
  },
  includes: {
    entries: {
      entries: {
        list: {
          object: {
            id: 'string',
            name: 'string',
            url: { shape: /^https:\/\// },
            domain: 'string',
            active: 'boolean',
            threats: { list: { shape: /^C?TH\d+$/ } },
          },
        },
      },
    },
  },
  filters: { id: integer('id'), slug: text('slug'), name: text('name') },
  orderings: { id: byField('id'), name: byText('name') },
  defaultOrdering: 'id',
  search: ({ name }) => [String(name)],
};

/** Threats, and the frameworks that classify them. */
export const THREATS: readonly Resource[] = [threats, capecs, frameworks];
