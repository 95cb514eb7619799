/** What must be there and what may not: internal ids of answers, or of attributes in their mode. */
export interface Condition {
  readonly required: readonly number[];
  readonly excluded: readonly number[];
}

/** Something of the library that match conditions bring into projects. */
interface Conditioned {
  readonly id: number;
  readonly active: boolean;
  readonly conditions: readonly Condition[];
}

/** The library as one organization sees it, as far as it decides what projects contain. */
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
  readonly countermeasures: readonly (Conditioned & { readonly weakness: number })[];
  readonly threats: readonly (Conditioned & { readonly weaknesses: readonly number[] })[];
  /** Whether conditions are about attributes. */
  readonly byAttributes: boolean;
}

/** What is said of a project itself. */
export interface Facts {
  readonly answers: readonly number[];
  /** Attributes that a user added by hand. */
  readonly manualAttributes: readonly number[];
}

/** Everything of the library that is in a project. */
export interface Content {
  readonly components: ReadonlySet<number>;
  /** All that have a source, those that are switched off too: these count for nothing. */
  readonly attributes: ReadonlySet<number>;
  readonly weaknesses: ReadonlySet<number>;
  readonly countermeasures: ReadonlySet<number>;
  readonly threats: ReadonlySet<number>;
}

/**
 * What a condition lacks: required ones that are not there, and excluded ones that are. It holds where both are empty.
 */
const judge = ({ required, excluded }: Condition, known: ReadonlySet<number>) => ({
  missing: required.filter((id) => !known.has(id)),
  unwanted: excluded.filter((id) => known.has(id)),
});

/** A condition holds when all that it requires is there, and nothing that it excludes. */
function holds(condition: Condition, known: ReadonlySet<number>): boolean {
  const { missing, unwanted } = judge(condition, known);
  return !missing.length && !unwanted.length;
}

/** Whether its conditions let an item in: one of them holds, or it has none. */
export const matches = (conditions: readonly Condition[], known: ReadonlySet<number>): boolean =>
  !conditions.length || conditions.some((condition) => holds(condition, known));

const idsOf = (items: readonly { readonly id: number }[]): Set<number> => new Set(items.map(({ id }) => id));

/**
 * What a project contains. Here the rule stands as a function, for tests alone: `refresh-project.ts` of the domain
 * works the same out in SQL, for many projects at once, and is compared with it.
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

  // What a component introduces is there whatever its conditions say, and brings its weakness along.
  const introducedIds = new Set(components.flatMap((component) => component.introduces));
  const introduced = library.countermeasures.filter(({ id, active }) => active && introducedIds.has(id));
  const brought = new Set(introduced.map(({ weakness }) => weakness));

  const isIn = ({ active, conditions }: Conditioned): boolean => active && matches(conditions, known);
  const weaknesses = idsOf(library.weaknesses.filter((item) => isIn(item) || (item.active && brought.has(item.id))));
  const countermeasures = library.countermeasures.filter(
    (item) => weaknesses.has(item.weakness) && (isIn(item) || (item.active && introducedIds.has(item.id))),
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
