import { FRAMEWORK_FIELDS } from '#domain/library/threat/threat.rules.js';
import { defaultLibraryFolder } from '#content/library/schema/library-files.js';
import { answersOf, questionsOf } from '#content/library/schema/library-parts.js';
import { checkLibrary } from './check-library.ts';
import { coverageOf } from './coverage-report.ts';
import { type Library, readLibrary } from '#content/library/schema/library-schema.js';
import { DATA_SIGNALS, EXPOSURE_SIGNALS, LEVEL_SIGNALS } from '#domain/projects/project-content/importance.sql.js';
import { projectWith } from '#test/support/library-project.js';

/** How many of each kind the library that ships has at least. */
const SIZES = {
  weaknesses: 120,
  countermeasures: 500,
  howTos: 260,
  additionalRequirements: 60,
  components: 45,
  componentQuestions: 25,
  threats: 60,
  attributes: 120,
  sections: 15,
  answers: 180,
  regulations: 25,
  glossary: 60,
  profiles: 6,
  workflowPrompts: 12,
} as const;

const isLevel = (attribute: string): boolean => attribute in LEVEL_SIGNALS;

describe('The starter library', () => {
  let library: Library;
  beforeAll(async () => {
    library = await readLibrary(defaultLibraryFolder());
  });

  it('complies with every rule', () => {
    expect(checkLibrary(library)).toEqual([]);
  });

  it.each(Object.entries(SIZES))('has enough %s: at least %i', (kind, size) => {
    const counted: Readonly<Record<string, unknown>> = { ...library, answers: questionsOf(library).flatMap(answersOf) };
    expect((counted[kind] as readonly unknown[]).length).toBeGreaterThanOrEqual(size);
  });

  it('maps every threat to CAPEC and to a framework', () => {
    const unmapped = library.threats.filter(
      (threat) => !threat.capecs.length || FRAMEWORK_FIELDS.every((field) => !threat[field].length),
    );
    expect(unmapped.map(({ id }) => id)).toEqual([]);
  });

  it('has the attributes that decide the level and the importance of countermeasures', () => {
    const ids = new Set(library.attributes.map(({ id }) => id));
    const signals = Object.keys({ ...LEVEL_SIGNALS, ...EXPOSURE_SIGNALS, ...DATA_SIGNALS });
    expect(signals.filter((id) => !ids.has(id))).toEqual([]);
  });

  it('has at most 60 % of the countermeasures of level 3 in level 1, and fewer in level 2, for every profile', () => {
    const levels = questionsOf(library)
      .flatMap(answersOf)
      .filter(({ attributes }) => attributes.some(isLevel));
    expect(levels).toHaveLength(3);
    for (const { id, answers } of library.profiles) {
      const others = answers.filter((answer) => !levels.some((level) => level.id === answer));
      const [first = 0, second = 0, third = 0] = levels.map(
        (level) =>
          [...projectWith(library, [...others, level.id], 'answers').items].filter((item) => /^T\d+$/.test(item))
            .length,
      );
      expect([id, first <= 0.6 * third, first < second, second < third]).toEqual([id, true, true, true]);
    }
  });

  it('has a question for every component', () => {
    expect(library.components.filter(({ questions }) => !questions.length).map(({ id }) => id)).toEqual([]);
  });

  it('has no component that completes a countermeasure', () => {
    expect(library.components.filter(({ tasks_implemented: completed }) => completed.length)).toEqual([]);
  });

  it('refers to subcategories of NIST CSF and tasks of NIST SSDF, not to categories and practices', () => {
    const coarse = /^NIST Cybersecurity Framework 2\.0, [A-Z]{2}(?:\.[A-Z]{2})?$|^nist:800-218:[A-Z]{2}(?:\.\d+)?$/;
    const found = library.countermeasures.filter(({ references = [] }) => references.some((one) => coarse.test(one)));
    expect(found.map(({ id }) => id)).toEqual([]);
  });

  it('describes the verification and the common mistake of every countermeasure', () => {
    const silent = library.countermeasures.filter(
      ({ text }) => !text.includes('**How to verify.**') || !text.includes('**Common mistake.**'),
    );
    expect(silent.map(({ id }) => id)).toEqual([]);
  });

  it('gives the strength and reason of every mapping to a framework', () => {
    const unrated = library.regulations.flatMap(({ sections }) =>
      sections.filter(({ countermeasures = [] }) => countermeasures.length),
    );
    expect(unrated.map(({ id }) => id)).toEqual([]);
  });

  it.each([
    ['owasp-asvs', 1],
    ['owasp-top-10-2025', undefined],
    ['owasp-api-security-top-10', undefined],
    ['owasp-top-10-llm', undefined],
    ['cwe-top-25-2025', undefined],
    ['cwe-top-25', undefined],
  ])('covers every section of %s (level: %s)', (slug, level) => {
    const regulation = library.regulations.find((candidate) => candidate.slug === slug);
    expect(regulation && coverageOf(regulation, level).open).toEqual([]);
  });

  it('asks at most 35 questions for every profile', () => {
    const asked = library.profiles.map(({ id, answers }) => ({
      id,
      questions: questionsOf(library).filter(
        ({ depends_on: on }) => !on.length || on.some((answer) => answers.includes(answer)),
      ).length,
    }));
    expect(asked.filter(({ questions }) => questions > 35)).toEqual([]);
  });

  it('covers at least 250 of the 345 requirements of OWASP ASVS 5.0 by its own mappings', () => {
    const asvs = library.regulations.find(({ slug }) => slug === 'owasp-asvs');
    expect(asvs && coverageOf(asvs)).toMatchObject({ total: 345 });
    expect(asvs && coverageOf(asvs).covered).toBeGreaterThanOrEqual(250);
  });

  it('contains code in every how-to', () => {
    expect(library.howTos.filter(({ text }) => !/^```\w/m.test(text)).map(({ id }) => id)).toEqual([]);
  });

  it('has a how-to for every countermeasure with priority 8 or more', () => {
    const explained = new Set(library.howTos.map(({ countermeasure }) => countermeasure));
    const left = library.countermeasures.filter(({ id, priority }) => priority >= 8 && !explained.has(id));
    expect(left.map(({ id }) => id)).toEqual([]);
  });

  it('has more than 20 questions that depend on other answers', () => {
    expect(questionsOf(library).filter(({ depends_on: on }) => on.length).length).toBeGreaterThan(20);
  });
});
