import { intersectionOf } from '#domain/kernel/fields/field-checks.js';
import { MAX_LEVEL } from '#domain/library/attribute/attribute.rules.js';
import { depthCounter } from '#domain/library/attribute/attribute-tree.js';
import { questionnaireErrors } from '#domain/library/component/component.rules.js';
import { contradictions } from '#domain/library/match-condition/match-condition.rules.js';
import { FRAMEWORK_FIELDS, FRAMEWORKS } from '#domain/library/threat/threat.rules.js';
import { undeclaredPlaceholders } from '#domain/library/workflow-prompt/workflow-prompt.rules.js';
import {
  answersOf,
  conditionsOf,
  mappingsOf,
  questionsOf,
  regulationSectionsOf,
  repeated,
  type Rule,
  subsectionsOf,
  unresolved,
} from './library-parts.js';
import type { Library } from './library-schema.js';

const idsAreUnique: Rule = (library) => {
  const questions = questionsOf(library);
  const identified: Readonly<Record<string, readonly { readonly id: string | number }[]>> = {
    phase: library.phases,
    category: library.categories,
    attribute: library.attributes,
    section: library.sections,
    subsection: subsectionsOf(library),
    question: questions,
    subquestion: questions.flatMap(({ subquestions }) => subquestions),
    answer: questions.flatMap(answersOf),
    weakness: library.weaknesses,
    countermeasure: library.countermeasures,
    'additional requirement': library.additionalRequirements,
    'how-to': library.howTos,
    threat: library.threats,
    CAPEC: library.capecs,
    framework: library.frameworks,
    'match condition': conditionsOf(library).map(({ condition }) => condition),
    regulation: library.regulations,
    'regulation section': regulationSectionsOf(library),
    component: library.components,
    'component question': library.componentQuestions,
    'component answer': library.componentQuestions.flatMap(({ answers }) => answers),
    'glossary term': library.glossary,
    'rule mapping': library.ruleMappings,
    profile: library.profiles,
    'workflow prompt': library.workflowPrompts,
    'workflow prompt context': library.workflowPrompts.flatMap(({ contexts }) => contexts),
  };
  return [
    ...Object.entries(identified).flatMap(([what, items]) => repeated(what, items, ({ id }) => id)),
    ...library.frameworks.flatMap(({ slug, entries }) => repeated(`entry of ${slug}`, entries, ({ id }) => id)),
    ...repeated('category', library.categories, ({ name }) => name),
    ...repeated('phase slug', library.phases, ({ slug }) => slug),
    ...repeated('regulation slug', library.regulations, ({ slug }) => slug),
    ...repeated('glossary entry', library.glossary, ({ term }) => term.toLowerCase()),
    ...repeated('profile', library.profiles, ({ name }) => name),
  ];
};

const threatReferencesResolve: Rule = (library) => {
  const weaknesses = new Set(library.weaknesses.map(({ id }) => id));
  const cwes = new Set(library.cwes.map(({ id }) => id));
  const capecs = new Set(library.capecs.map(({ id }) => id));
  const entries = new Map(library.frameworks.map(({ slug, entries }) => [slug, new Set(entries.map(({ id }) => id))]));
  return [
    ...library.cwes.flatMap(({ id, parents }) => unresolved(`CWE ${id}`, 'CWE', parents, cwes)),
    ...library.capecs.flatMap((capec) => unresolved(`CAPEC ${capec.id}`, 'CWE', capec.cwes, cwes)),
    ...library.threats.flatMap((threat) => [
      ...unresolved(threat.id, 'weakness', threat.weaknesses, weaknesses),
      ...unresolved(threat.id, 'CAPEC', threat.capecs, capecs),
      ...FRAMEWORK_FIELDS.flatMap((field) =>
        unresolved(
          threat.id,
          `entry of ${FRAMEWORKS[field]}`,
          threat[field],
          entries.get(FRAMEWORKS[field]) ?? new Set(),
        ),
      ),
    ]),
  ];
};

const referencesResolve: Rule = (library) => {
  const phases = new Set(library.phases.map(({ id }) => id));
  const categories = new Set(library.categories.map(({ name }) => name));
  const weaknesses = new Set(library.weaknesses.map(({ id }) => id));
  const countermeasures = new Set(library.countermeasures.map(({ id }) => id));
  const answers = new Set(questionsOf(library).flatMap((question) => answersOf(question).map(({ id }) => id)));
  const cwes = new Set(library.cwes.map(({ id }) => id));
  const icons = new Set(library.icons.map(({ slug }) => slug));
  const questions = new Set(library.componentQuestions.map(({ id }) => id));
  const attributes = new Set(library.attributes.map(({ id }) => id));
  return [
    ...questionsOf(library).flatMap((question) => [
      ...unresolved(question.id, 'answer', question.depends_on, answers),
      ...answersOf(question).flatMap((answer) => unresolved(answer.id, 'attribute', answer.attributes, attributes)),
    ]),
    ...library.weaknesses.flatMap((weakness) => [
      ...unresolved(weakness.id, 'category', [weakness.category], categories),
      ...unresolved(weakness.id, 'CWE', weakness.cwe, cwes),
    ]),
    ...library.ruleMappings.flatMap(({ id, cwe }) => unresolved(id, 'CWE', [cwe], cwes)),
    ...library.countermeasures.flatMap((countermeasure) => [
      ...unresolved(countermeasure.id, 'weakness', [countermeasure.weakness], weaknesses),
      ...unresolved(countermeasure.id, 'phase', [countermeasure.phase], phases),
      ...unresolved(countermeasure.id, 'category', countermeasure.categories, categories),
    ]),
    ...[...library.additionalRequirements, ...library.howTos].flatMap(({ id, countermeasure }) =>
      unresolved(id, 'countermeasure', [countermeasure], countermeasures),
    ),
    ...conditionsOf(library).flatMap(({ owner, condition }) =>
      unresolved(`${condition.id} of ${owner}`, 'answer', [...condition.required, ...condition.excluded], answers),
    ),
    ...library.regulations.flatMap((regulation) => {
      const mappings = mappingsOf(regulation);
      const sections = new Set(regulation.sections.map(({ id }) => id));
      return [
        ...unresolved(
          regulation.id,
          'section',
          mappings.map(({ section }) => section),
          sections,
        ),
        ...mappings.flatMap(({ section, countermeasure }) =>
          unresolved(section, 'countermeasure', [countermeasure], countermeasures),
        ),
        ...repeated('mapping', mappings, ({ section, countermeasure }) => `${section}–${countermeasure}`),
        ...repeated(`section of ${regulation.id}`, regulation.sections, ({ code }) => code),
      ];
    }),
    ...library.components.flatMap((component) => [
      ...unresolved(component.id, 'category', [component.category], categories),
      ...unresolved(component.id, 'icon', [component.icon], icons),
      ...unresolved(component.id, 'answer', component.answer_mapping ? [component.answer_mapping] : [], answers),
      ...unresolved(component.id, 'countermeasure', component.tasks_implemented, countermeasures),
      ...unresolved(component.id, 'countermeasure', component.tasks_introduced, countermeasures),
      ...unresolved(component.id, 'attribute', component.implied_attributes, attributes),
      ...unresolved(
        component.id,
        'question',
        component.questions.map(({ question }) => question),
        questions,
      ),
    ]),
    ...library.componentQuestions.flatMap(({ answers: offered }) =>
      offered.flatMap(({ id, attribute }) => unresolved(id, 'attribute', attribute ? [attribute] : [], attributes)),
    ),
    ...library.profiles.flatMap((profile) => [
      ...unresolved(profile.id, 'answer', profile.answers, answers),
      ...unresolved(profile.id, 'icon', [profile.icon], icons),
    ]),
  ];
};

const componentsKeepTheirRules: Rule = ({ components, componentQuestions }) => {
  const owners = new Map(componentQuestions.flatMap(({ id, answers }) => answers.map((answer) => [answer.id, id])));
  return components.flatMap((component) => [
    ...intersectionOf(component.tasks_implemented, component.tasks_introduced).map(
      (id) => `${component.id} both implements and introduces ${id}`,
    ),
    ...questionnaireErrors(component.questions, (answer) => owners.get(answer))
      .flatMap((errors) => Object.values(errors).flat())
      .map((error) => `${component.id}: ${error}`),
  ]);
};

/** A parent comes before its children, which also rules out cycles. */
const attributesFormATree: Rule = ({ attributes }) => {
  const indexById = new Map(attributes.map(({ id }, index) => [id, index]));
  const levelOf = depthCounter(new Map(attributes.map(({ id, parent }) => [id, parent])));
  return attributes.flatMap(({ id, parent }, index) => [
    ...(parent !== null && (indexById.get(parent) ?? index) >= index
      ? [`${id} has parent ${parent}, which does not come before it`]
      : []),
    ...((levelOf(id) ?? 0) > MAX_LEVEL ? [`${id} is below level ${MAX_LEVEL}`] : []),
  ]);
};

const conditionsCanHold: Rule = (library) =>
  conditionsOf(library).flatMap(({ owner, condition }) =>
    contradictions(condition, 'answers').map(
      (answer) => `${condition.id} of ${owner} both requires and excludes ${answer}`,
    ),
  );

const oneProfileIsDefault: Rule = ({ profiles }) => {
  const defaults = profiles.filter((profile) => profile.default);
  return defaults.length === 1 ? [] : [`${defaults.length} profiles are the default; exactly one is required`];
};

const placeholdersAreDeclared: Rule = ({ workflowPrompts }) =>
  workflowPrompts.flatMap(({ id, prompt, variables }) =>
    undeclaredPlaceholders(prompt, variables).map(
      (name) => `workflow prompt ${id} has the placeholder {{${name}}}, which it does not declare`,
    ),
  );

/** What the tables require. */
const STRUCTURE_RULES: readonly Rule[] = [
  idsAreUnique,
  referencesResolve,
  threatReferencesResolve,
  attributesFormATree,
  conditionsCanHold,
  componentsKeepTheirRules,
  oneProfileIsDefault,
  placeholdersAreDeclared,
];

/** Checks what the tables require. Returns the errors as sentences that name the items. */
export const checkStructure = (library: Library): string[] => STRUCTURE_RULES.flatMap((rule) => rule(library));
