/** Required and excluded internal ids of answers or, in attribute mode, of attributes. */
export interface Condition {
  readonly required: readonly number[];
  readonly excluded: readonly number[];
}

/** A library item that match conditions add to projects. */
interface Conditioned {
  readonly id: number;
  readonly active: boolean;
  readonly conditions: readonly Condition[];
}

/** The part of the library, as one organization sees it, that determines the content of projects. */
export interface Library {
  readonly answers: readonly {
    readonly id: number;
    readonly active: boolean;
    readonly attributes: readonly number[];
  }[];
  readonly attributes: readonly { readonly id: number; readonly active: boolean }[];
  readonly components: readonly {
    readonly id: number;
    readonly hidden: boolean;
    readonly answer: number | null;
    readonly impliedAttributes: readonly number[];
    readonly introduces: readonly number[];
  }[];
  readonly weaknesses: readonly Conditioned[];
  readonly countermeasures: readonly (Conditioned & { readonly weakness: number; readonly level: number })[];
  readonly threats: readonly (Conditioned & { readonly weaknesses: readonly number[] })[];
  /** The levels that attributes stand for, by attribute. */
  readonly levels: ReadonlyMap<number, number>;
  /** Whether conditions test attributes. */
  readonly byAttributes: boolean;
}

/** The facts about a project. */
export interface Facts {
  readonly answers: readonly number[];
  /** Attributes that users added manually. */
  readonly manualAttributes: readonly number[];
}

/** The library items in a project. */
export interface Content {
  readonly components: ReadonlySet<number>;
  /** All attributes with a source, including deactivated ones, which have no effect. */
  readonly attributes: ReadonlySet<number>;
  readonly weaknesses: ReadonlySet<number>;
  readonly countermeasures: ReadonlySet<number>;
  readonly threats: ReadonlySet<number>;
}

/**
 * Why a condition does not match: missing required ids and present excluded ids. It matches if both are empty.
 */
const judge = ({ required, excluded }: Condition, known: ReadonlySet<number>) => ({
  missing: required.filter((id) => !known.has(id)),
  unwanted: excluded.filter((id) => known.has(id)),
});

/** A condition matches if all required ids and no excluded ids are present. */
function holds(condition: Condition, known: ReadonlySet<number>): boolean {
  const { missing, unwanted } = judge(condition, known);
  return !missing.length && !unwanted.length;
}

/** Whether an item applies: one of its conditions matches, or it has none. */
export const matches = (conditions: readonly Condition[], known: ReadonlySet<number>): boolean =>
  !conditions.length || conditions.some((condition) => holds(condition, known));

/** The level of a project that has none: nothing is left out. */
const HIGHEST_LEVEL = 3;

const idsOf = (items: readonly { readonly id: number }[]): Set<number> => new Set(items.map(({ id }) => id));

/**
 * The content of a project. This is the rule as a function, only for tests: `refresh-project.ts` of the domain computes
 * the same in SQL for many projects at once, and is compared with it.
 */
export function contentOf(library: Library, facts: Facts): Content {
  const projectAnswers = new Set(facts.answers);
  const answers = library.answers.filter(({ id, active }) => active && projectAnswers.has(id));
  const answered = idsOf(answers);

  const components = library.components.filter(
    ({ hidden, answer }) => !hidden && answer !== null && answered.has(answer),
  );
  const attributes = new Set([
    ...facts.manualAttributes,
    ...answers.flatMap((answer) => answer.attributes),
    ...components.flatMap((component) => component.impliedAttributes),
  ]);
  const switchedOn = idsOf(library.attributes.filter(({ id, active }) => active && attributes.has(id)));
  const known = library.byAttributes ? switchedOn : answered;

  const levels = [...switchedOn].flatMap((id) => library.levels.get(id) ?? []);
  const level = levels.length ? Math.max(...levels) : HIGHEST_LEVEL;

  // Countermeasures that a component introduces apply regardless of their conditions and level, with their weaknesses.
  const introducedIds = new Set(components.flatMap((component) => component.introduces));
  const introduced = library.countermeasures.filter(({ id, active }) => active && introducedIds.has(id));
  const brought = new Set(introduced.map(({ weakness }) => weakness));

  const isIn = ({ active, conditions }: Conditioned): boolean => active && matches(conditions, known);
  const weaknesses = idsOf(library.weaknesses.filter((item) => isIn(item) || (item.active && brought.has(item.id))));
  const countermeasures = library.countermeasures.filter(
    (item) =>
      weaknesses.has(item.weakness) &&
      ((isIn(item) && item.level <= level) || (item.active && introducedIds.has(item.id))),
  );
  const threats = library.threats.filter(
    (item) => isIn(item) && (!item.weaknesses.length || item.weaknesses.some((id) => weaknesses.has(id))),
  );
  return {
    components: idsOf(components),
    attributes,
    weaknesses,
    countermeasures: idsOf(countermeasures),
    threats: idsOf(threats),
  };
}
