import { QUESTION_TYPES } from '#domain/library/component/component-question.projection.js';
import { SIMPLE_SLUG } from '#domain/kernel/fields/slug.js';
import { LEVEL, PRIORITY, MAX_TAG_LENGTH } from '#domain/library/countermeasure/countermeasure.rules.js';
import { PHASE_ORDINAL } from '#domain/library/phase/phase.fields.js';
import { MAX_TEXT_LENGTH } from '#domain/kernel/fields/field-checks.js';
import { MAX_ENTRY_ID_LENGTH, SEVERITY } from '#domain/library/threat/threat.rules.js';
import { RISK_RATING } from '#domain/library/weakness/weakness.rules.js';
import { type LibraryFile, readLibraryFiles } from './library-files.js';
import {
  type GlossaryTerm,
  glossaryTerm,
  type Profile,
  type RuleMapping,
  ruleMapping,
  profile,
  type WorkflowPrompt,
  workflowPrompt,
} from './guidance-shapes.js';
import { itemId, name, names, provenance, slug, title } from './item-shapes.js';
import { MAPPING_STRENGTHS } from '#domain/library/item-reference/item-reference.rules.js';
import { readReferenceTables, type ReferenceTables } from '../public-tables/reference-tables.js';
import {
  boolean,
  errorsOf,
  integer,
  line,
  list,
  markdown,
  matching,
  nullable,
  object,
  objectWith,
  oneOf,
  type Shape,
  type TypeOf,
} from './shape.js';
import { type Attribute, attribute, matchCondition, type Section, section } from './survey-shapes.js';
import { parseYaml } from './yaml-document.js';

const phase = object({
  id: itemId('phase'),
  name,
  slug,
  description: title,
  tip: title,
  ordinal: integer(PHASE_ORDINAL.minimum, PHASE_ORDINAL.maximum),
  retain: boolean,
});

const category = object({ id: integer(1, 1_000_000), name });

const tag = line(MAX_TAG_LENGTH);

const weakness = objectWith(
  {
    id: itemId('weakness'),
    title,
    risk_rating: integer(RISK_RATING.minimum, RISK_RATING.maximum),
    category: name,
    cwe: list(integer(1, 1_000_000), { distinct: true }),
    text: markdown(MAX_TEXT_LENGTH),
    match_conditions: list(matchCondition),
  },
  provenance,
);

const countermeasure = objectWith(
  {
    id: itemId('countermeasure'),
    title,
    weakness: itemId('weakness'),
    phase: itemId('phase'),
    priority: integer(PRIORITY.minimum, PRIORITY.maximum),
    tags: list(tag, { distinct: true }),
    categories: names,
    verification_coverage: names,
    text: markdown(MAX_TEXT_LENGTH),
    match_conditions: list(matchCondition),
  },
  { ...provenance, level: integer(LEVEL.minimum, LEVEL.maximum) },
);

/** The fields that all parts of a countermeasure have. */
const part = {
  countermeasure: itemId('countermeasure'),
  title,
  text: markdown(MAX_TEXT_LENGTH),
  match_conditions: list(matchCondition),
};

/** Additional requirements are ordered as in the files. */
const additionalRequirement = objectWith({ id: itemId('additional_requirement'), ...part }, provenance);

/** The slug stays the same when the title changes. */
const howTo = objectWith({ id: itemId('how_to'), slug, ...part }, { ...provenance, versions: title });

const entryIds = list(line(MAX_ENTRY_ID_LENGTH), { distinct: true });

const threat = objectWith(
  {
    id: itemId('threat'),
    title,
    severity: integer(SEVERITY.minimum, SEVERITY.maximum),
    weaknesses: list(itemId('weakness'), { distinct: true }),
    capecs: list(integer(1, 1_000_000), { distinct: true }),
    stride: entryIds,
    mitre_emb3d: entryIds,
    maestro: entryIds,
    mitre_attack: entryIds,
    text: markdown(MAX_TEXT_LENGTH),
    match_conditions: list(matchCondition),
  },
  provenance,
);

/** How far a countermeasure satisfies the section with this code, with a reason that an auditor would accept. */
const mapping = object({
  section: name,
  countermeasure: itemId('countermeasure'),
  strength: oneOf(MAPPING_STRENGTHS),
  why: title,
});

const regulation = objectWith(
  {
    id: itemId('regulation'),
    name,
    slug,
    version: name,
    url: matching(/^https:\/\/\S{1,500}$/, 'a URL that begins with https://'),
    sections: list(
      objectWith(
        {
          id: itemId('regulation_section'),
          code: name,
          title,
        },
        {
          /** The lowest level of the regulation that requires it. */
          level: integer(1, 9),
          /** Mappings without a strength: they support the section. */
          countermeasures: list(itemId('countermeasure'), { distinct: true }),
          /** Whether the partial mappings together satisfy the section. */
          partial_mappings_complete: boolean,
          /**
           * Takes its mappings from its requirements, whose codes extend its code: `PW.7` from `PW.7.1` and `PW.7.2`.
           */
          from_requirements: boolean,
        },
      ),
    ),
  },
  { mappings: list(mapping) },
);

const componentQuestion = object({
  id: itemId('component_question'),
  text: title,
  description: title,
  question_type: oneOf(QUESTION_TYPES),
  answers: list(
    object({
      id: itemId('component_answer'),
      text: title,
      description: title,
      attribute: nullable(itemId('attribute')),
    }),
    { minimum: 1 },
  ),
});

const countermeasureIds = list(itemId('countermeasure'), { distinct: true });

const component = object({
  id: itemId('component'),
  title,
  category: name,
  icon: matching(SIMPLE_SLUG, 'the slug of an icon'),
  answer_mapping: nullable(itemId('survey_answer')),
  tasks_implemented: countermeasureIds,
  tasks_introduced: countermeasureIds,
  implied_attributes: list(itemId('attribute'), { distinct: true }),
  questions: list(
    object({ question: itemId('component_question'), parent_answer: nullable(itemId('component_answer')) }),
  ),
  description: markdown(MAX_TEXT_LENGTH),
});

export type Regulation = TypeOf<typeof regulation>;
export type Component = TypeOf<typeof component>;
export type ComponentQuestion = TypeOf<typeof componentQuestion>;
export type Weakness = TypeOf<typeof weakness>;
export type Countermeasure = TypeOf<typeof countermeasure>;
export type AdditionalRequirement = TypeOf<typeof additionalRequirement>;
export type HowTo = TypeOf<typeof howTo>;
export type Threat = TypeOf<typeof threat>;

/** A release of the starter library as it is in its files, with the public tables that it refers to. */
export interface Library extends ReferenceTables {
  readonly phases: readonly TypeOf<typeof phase>[];
  readonly categories: readonly TypeOf<typeof category>[];
  /** The tags that countermeasures can have. */
  readonly tags: readonly string[];
  /** Parents come before their children. */
  readonly attributes: readonly Attribute[];
  /** The sections of the survey, in its order. */
  readonly sections: readonly Section[];
  readonly weaknesses: readonly Weakness[];
  readonly countermeasures: readonly Countermeasure[];
  readonly additionalRequirements: readonly AdditionalRequirement[];
  readonly howTos: readonly HowTo[];
  readonly threats: readonly Threat[];
  readonly regulations: readonly Regulation[];
  readonly componentQuestions: readonly ComponentQuestion[];
  readonly components: readonly Component[];
  readonly glossary: readonly GlossaryTerm[];
  readonly ruleMappings: readonly RuleMapping[];
  readonly profiles: readonly Profile[];
  readonly workflowPrompts: readonly WorkflowPrompt[];
}

/** The library is invalid. The message lists every error, with file and path. */
export class BrokenLibrary extends Error {
  override readonly name = 'BrokenLibrary';

  constructor(readonly errors: readonly string[]) {
    super(`The starter library has ${errors.length} error(s):\n${errors.map((error) => `  ${error}`).join('\n')}`);
  }
}

/** Parses the files of a library and collects their errors. */
class LibraryReader {
  readonly #unread: Map<string, string>;
  readonly #errors: string[] = [];

  constructor(files: readonly LibraryFile[]) {
    this.#unread = new Map(files.map((file) => [file.path, file.text]));
  }

  /** The value of a file. Use it only after `finish` has passed, because it may be invalid. */
  file<T>(path: string, shape: Shape<T>): T {
    const text = this.#unread.get(path);
    this.#unread.delete(path);
    const parsed = text === undefined ? { errors: ['is missing'] } : parseYaml(text);
    const errors = 'errors' in parsed ? parsed.errors : errorsOf(shape, parsed.value);
    this.#errors.push(...errors.map((error) => `${path}: ${error.replace(/^: /, '')}`));
    return ('value' in parsed ? parsed.value : undefined) as T;
  }

  /** The values of all files in a folder, ordered by name. */
  folder<T>(folder: string, shape: Shape<T>): T[] {
    const paths = [...this.#unread.keys()].filter((path) => path.startsWith(`${folder}/`) && path.endsWith('.yaml'));
    return paths.map((path) => this.file(path, shape));
  }

  /** Throws `BrokenLibrary` if there were errors. */
  finish(): void {
    const unknown = [...this.#unread.keys()].map((path) => `${path}: does not belong to a library`);
    if (this.#errors.length + unknown.length) throw new BrokenLibrary([...this.#errors, ...unknown]);
  }
}

/**
 * Parses the files of a library.
 *
 * @throws BrokenLibrary with all errors: missing or unknown files, invalid YAML, invalid values
 */
export function parseLibrary(files: readonly LibraryFile[], reference: ReferenceTables): Library {
  const reader = new LibraryReader(files);
  const library: Library = {
    phases: reader.file('phases.yaml', list(phase)),
    categories: reader.file('categories.yaml', list(category)),
    tags: reader.file('tags.yaml', list(tag)),
    attributes: reader.file('attributes.yaml', list(attribute)),
    sections: reader.folder('survey', section),
    weaknesses: reader.folder('weaknesses', list(weakness)).flat(),
    countermeasures: reader.folder('countermeasures', list(countermeasure)).flat(),
    additionalRequirements: reader.folder('additional-requirements', list(additionalRequirement)).flat(),
    howTos: reader.folder('how-tos', list(howTo)).flat(),
    threats: reader.folder('threats', list(threat)).flat(),
    regulations: reader.folder('regulations', regulation),
    componentQuestions: reader.file('component-questions.yaml', list(componentQuestion)),
    components: reader.folder('components', list(component)).flat(),
    glossary: reader.file('glossary.yaml', list(glossaryTerm)),
    ruleMappings: reader.file('rule-mappings.yaml', list(ruleMapping)),
    profiles: reader.file('profiles.yaml', list(profile)),
    workflowPrompts: reader.file('workflow-prompts.yaml', list(workflowPrompt)),
    ...reference,
  };
  reader.finish();
  return library;
}

/**
 * Reads the library in a folder. This checks the shape of the files; `checkLibrary` checks how the items fit together.
 *
 * @throws BrokenLibrary with all errors of shape; Error if the folder can't be read
 */
export async function readLibrary(folder: string): Promise<Library> {
  const [files, reference] = await Promise.all([readLibraryFiles(folder), readReferenceTables()]);
  return parseLibrary(files, reference);
}
