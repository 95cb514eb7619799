import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { numberOf } from '#domain/kernel/item-id.js';
import { IMPORTANCE_WEIGHTS } from '#domain/projects/project-content/importance.sql.js';
import { projectWith } from '#test/support/library-project.js';
import { profilesCanBeAnswered } from './library-quality.ts';
import { defaultLibraryFolder } from '#content/library/schema/library-files.js';
import { answersOf, questionsOf } from '#content/library/schema/library-parts.js';
import { type Countermeasure, type Library, readLibrary } from '#content/library/schema/library-schema.js';
import { parseYaml } from '#content/library/schema/yaml-document.js';

/** A project with what must and must not be in it, decided by reasoning; ids with names or reasons. */
interface GoldenProject {
  readonly name: string;
  readonly answers: Readonly<Record<string, string>>;
  readonly must: Readonly<Record<string, string>>;
  readonly must_not: Readonly<Record<string, string>>;
  /** What must be among the first countermeasures of the project by importance, and what must not. */
  readonly first?: Readonly<Record<string, string>>;
  readonly later?: Readonly<Record<string, string>>;
}

/** How many countermeasures a team looks at first. */
const FIRST = 30;

/** The answers that choose the assurance levels 1 to 3. */
const LEVELS: readonly string[] = ['A224', 'A225', 'A226'];

const folder = path.join(defaultLibraryFolder(), '..', 'golden-projects');

function readProject(file: string): GoldenProject {
  const parsed = parseYaml(readFileSync(path.join(folder, file), 'utf8'));
  if ('errors' in parsed) throw new Error(`${file}: ${parsed.errors.join(', ')}`);
  return parsed.value as GoldenProject;
}

const projects = readdirSync(folder).map(readProject);

describe('The starter library in golden projects', () => {
  let library: Library;
  beforeAll(async () => {
    library = await readLibrary(defaultLibraryFolder());
  });

  it('has at least 23 golden projects', () => {
    expect(projects.length).toBeGreaterThanOrEqual(23);
  });

  describe.each(projects.map((project) => [project.name, project] as const))('%s', (_name, project) => {
    const { answers, must, must_not: mustNot } = project;
    const given = Object.keys(answers);

    it('has answers that the survey allows in combination', () => {
      const offered = questionsOf(library).flatMap(answersOf);
      expect(answers).toEqual(
        Object.fromEntries(offered.filter(({ id }) => id in answers).map(({ id, display_text: text }) => [id, text])),
      );
      const profile = { id: 'P1', name: 'P', description: 'P', default: true, icon: 'globe', answers: given };
      expect(profilesCanBeAnswered({ ...library, profiles: [profile] })).toEqual([]);
    });

    it('contains everything that must apply, and nothing that must not', () => {
      const { items } = projectWith(library, given, 'answers');
      expect(reasonsOf(must, (id) => !items.has(id))).toEqual({});
      expect(reasonsOf(mustNot, (id) => items.has(id))).toEqual({});
    });

    it(`shows what is urgent among its first ${FIRST} countermeasures by importance, and nothing that can wait`, () => {
      const { items } = projectWith(library, given, 'answers');
      const ordered = library.countermeasures
        .filter(({ id }) => items.has(id))
        .toSorted((a, b) => importanceOf(b) - importanceOf(a) || numberOf(a.id) - numberOf(b.id));
      const first = new Set(ordered.slice(0, FIRST).map(({ id }) => id));
      expect(reasonsOf(project.first ?? {}, (id) => !first.has(id))).toEqual({});
      expect(reasonsOf(project.later ?? {}, (id) => first.has(id))).toEqual({});
    });

    it('has at most 60 % of the countermeasures of level 3 in level 1', () => {
      const countAt = (level: string): number => {
        const others = given.filter((answer) => !LEVELS.includes(answer));
        const { items } = projectWith(library, [...others, level], 'answers');
        return library.countermeasures.filter(({ id }) => items.has(id)).length;
      };
      const [first = 0, , third = 0] = LEVELS.map(countAt);
      expect(first / third).toBeLessThanOrEqual(0.6);
    });

    it('is asked at most 35 questions', () => {
      const asked = questionsOf(library).filter(
        ({ depends_on: on }) => !on.length || on.some((answer) => given.includes(answer)),
      );
      expect(asked.length).toBeLessThanOrEqual(35);
    });

    it('refers only to items that exist', () => {
      const everything = new Set(
        [library.weaknesses, library.countermeasures, library.additionalRequirements, library.howTos].flatMap((items) =>
          items.map(({ id }) => id),
        ),
      );
      expect(
        Object.keys({ ...must, ...mustNot, ...project.first, ...project.later }).filter((id) => !everything.has(id)),
      ).toEqual([]);
    });

    it('completes no countermeasure', () => {
      expect([...projectWith(library, given, 'answers').completed]).toEqual([]);
    });

    it('has the same content when matched by attributes', () => {
      expect(projectWith(library, given, 'attributes')).toEqual(projectWith(library, given, 'answers'));
    });
  });

  it('yields the same content by attributes as by answers for every answer and every profile', () => {
    const single = questionsOf(library).flatMap((question) =>
      answersOf(question).map(({ id }) => [...question.depends_on.slice(0, 1), id]),
    );
    const different = [...single, ...library.profiles.map((profile) => profile.answers)].filter((given) => {
      const [byAnswers, byAttributes] = (['answers', 'attributes'] as const).map(
        (mode) => projectWith(library, given, mode).items,
      );
      return byAnswers?.symmetricDifference(byAttributes ?? new Set()).size;
    });
    expect(different).toEqual([]);
  });
});

const reasonsOf = (reasons: Readonly<Record<string, string>>, wrong: (id: string) => boolean) =>
  Object.fromEntries(Object.entries(reasons).filter(([id]) => wrong(id)));

/** The importance of a countermeasure without what the project adds to all of its countermeasures. */
const importanceOf = ({ priority, level = 1 }: Countermeasure): number =>
  IMPORTANCE_WEIGHTS.priority * priority - IMPORTANCE_WEIGHTS.level * level;
