import fc from 'fast-check';
import { type Condition, type Content, contentOf, type Facts, type Library } from '#test/support/content-rule.js';

/** A small range of ids, so that references often match. */
const id = fc.integer({ min: 1, max: 6 });
const ids = fc.uniqueArray(id, { maxLength: 4 });
const conditions = fc.array(fc.record({ required: ids, excluded: ids }), { maxLength: 3 });
const listOf = <Item>(item: fc.Arbitrary<Item>): fc.Arbitrary<(Item & { id: number })[]> =>
  fc
    .array(item, { maxLength: 6 })
    .map((items) => items.map((entry, index) => Object.assign({}, entry, { id: index + 1 })));
const conditioned = { active: fc.boolean(), conditions };

const libraries: fc.Arbitrary<Library> = fc.record({
  answers: listOf(fc.record({ active: fc.boolean(), attributes: ids })),
  attributes: listOf(fc.record({ active: fc.boolean() })),
  components: listOf(
    fc.record({ hidden: fc.boolean(), answer: fc.option(id), impliedAttributes: ids, introduces: ids }),
  ),
  weaknesses: listOf(fc.record(conditioned)),
  countermeasures: listOf(fc.record({ ...conditioned, weakness: id, level: fc.integer({ min: 1, max: 3 }) })),
  threats: listOf(fc.record({ ...conditioned, weaknesses: ids })),
  levels: fc.constantFrom(
    new Map(),
    new Map([[1, 1]]),
    new Map([
      [1, 1],
      [2, 2],
      [3, 3],
    ]),
  ),
  byAttributes: fc.boolean(),
});
const projects: fc.Arbitrary<Facts> = fc.record({ answers: ids, manualAttributes: ids });

/** Implements the sentences of the specification one by one: slow, but close to its wording. */
class NaiveRule {
  constructor(
    private readonly library: Library,
    private readonly project: Facts,
  ) {}

  /** "Only active, unhidden content counts." */
  private answerCounts = (answer: number): boolean =>
    this.project.answers.some((given) => given === answer) &&
    this.library.answers.some((entry) => entry.id === answer && entry.active);

  /** A project has a component if it has the answer that the component is mapped to. */
  hasComponent = (component: number): boolean =>
    this.library.components.some(
      (entry) => entry.id === component && !entry.hidden && entry.answer !== null && this.answerCounts(entry.answer),
    );

  /** A project has an attribute by hand, through an answer, or through a component. */
  hasAttribute = (attribute: number): boolean =>
    this.project.manualAttributes.includes(attribute) ||
    this.library.answers.some((entry) => this.answerCounts(entry.id) && entry.attributes.includes(attribute)) ||
    this.library.components.some((entry) => this.hasComponent(entry.id) && entry.impliedAttributes.includes(attribute));

  private attributeCounts = (attribute: number): boolean =>
    this.hasAttribute(attribute) && this.library.attributes.some((entry) => entry.id === attribute && entry.active);

  /** "A condition holds when all its `required` are there and none of its `excluded`." */
  private conditionHolds({ required, excluded }: Condition): boolean {
    const isPresent = this.library.byAttributes ? this.attributeCounts : this.answerCounts;
    for (const one of required) if (!isPresent(one)) return false;
    for (const one of excluded) if (isPresent(one)) return false;
    return true;
  }

  /** "An item is in when one of its conditions holds (an item without conditions is always in)." */
  private isIncluded(item: { active: boolean; conditions: readonly Condition[] }): boolean {
    if (!item.active) return false;
    if (item.conditions.length === 0) return true;
    for (const condition of item.conditions) if (this.conditionHolds(condition)) return true;
    return false;
  }

  /** "Components in a project … bring in `tasks_introduced`." */
  private isIntroduced = (countermeasure: number): boolean =>
    this.library.components.some((entry) => this.hasComponent(entry.id) && entry.introduces.includes(countermeasure));

  /** A project has a weakness by its own conditions, or through a countermeasure that a component introduces. */
  hasWeakness = (weakness: number): boolean =>
    this.library.weaknesses.some((entry) => {
      if (entry.id !== weakness || !entry.active) return false;
      if (this.isIncluded(entry)) return true;
      return this.library.countermeasures.some(
        (task) => task.active && task.weakness === weakness && this.isIntroduced(task.id),
      );
    });

  /** The highest level that an attribute of the project stands for. Without one, nothing is left out. */
  private level(): number {
    for (const level of [3, 2, 1])
      for (const [attribute, stands] of this.library.levels)
        if (stands === level && this.attributeCounts(attribute)) return level;
    return 3;
  }

  /** "… its weakness must be in too", and the project's level at least that of the countermeasure. */
  hasCountermeasure = (countermeasure: number): boolean =>
    this.library.countermeasures.some((entry) => {
      if (entry.id !== countermeasure || !entry.active || !this.hasWeakness(entry.weakness)) return false;
      return (this.isIncluded(entry) && entry.level <= this.level()) || this.isIntroduced(entry.id);
    });

  /** A threat that refers to weaknesses requires one of them. */
  hasThreat = (threat: number): boolean =>
    this.library.threats.some((entry) => {
      if (entry.id !== threat || !this.isIncluded(entry)) return false;
      return entry.weaknesses.length === 0 || entry.weaknesses.some((weakness) => this.hasWeakness(weakness));
    });
}

const ALL = [1, 2, 3, 4, 5, 6];
const sorted = (content: Content): Record<string, number[]> =>
  Object.fromEntries(
    Object.entries(content).map(([kind, ids]: [string, ReadonlySet<number>]) => [
      kind,
      ALL.filter((one) => ids.has(one)),
    ]),
  );

describe('The content of a project', () => {
  it('matches a literal implementation of the specification for any library and answers', () => {
    fc.assert(
      fc.property(libraries, projects, (library, project) => {
        const naive = new NaiveRule(library, project);
        expect(sorted(contentOf(library, project))).toEqual({
          components: ALL.filter(naive.hasComponent),
          attributes: ALL.filter(naive.hasAttribute),
          weaknesses: ALL.filter(naive.hasWeakness),
          countermeasures: ALL.filter(naive.hasCountermeasure),
          threats: ALL.filter(naive.hasThreat),
        });
      }),
      { numRuns: 3000 },
    );
  });
});
