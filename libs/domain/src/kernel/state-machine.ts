import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Sql } from '#query/query-context.js';
import { Invalid, NotFound } from './domain-errors.js';

/** One move: from which states, to which, and under which condition on the row beyond its state. */
export interface Move<State extends string> {
  readonly from: readonly State[];
  readonly to: State;
  /** A condition on the row, which is called `item`, and why the move is refused where it does not hold. */
  readonly guard?: { readonly condition: Sql; readonly reason: string };
}

/** The table of a machine: where it begins, and every move there is. */
export interface MachineTable<State extends string, Name extends string> {
  /** What the rows are called in refusals: `export job`. */
  readonly noun: string;
  /** The database table. Its states are in the column `status`. */
  readonly table: string;
  readonly states: readonly State[];
  readonly initial: State;
  readonly moves: Readonly<Record<Name, Move<State>>>;
}

/** A move: of which rows, what else changes with them, and what is wanted back of the first. */
export interface MoveOf {
  /** A condition on the rows, each called `item`: one by its id, or all that it holds for. */
  readonly where: Sql;
  /** Further assignments: `completed_at = now()`. */
  readonly set?: Sql;
  readonly returning?: Sql;
}

/**
 * The only code that assigns a status. A move is one `UPDATE … WHERE status IN (<from>)`, so of two processes that
 * make it at once one succeeds, and a move that the table lacks can't be made.
 */
export class StateMachine<State extends string, Name extends string> {
  constructor(readonly definition: MachineTable<State, Name>) {}

  /** The entity's column `status` takes the same, and the database checks it. */
  get states(): readonly State[] {
    return this.definition.states;
  }

  /** The states that a move can begin in. */
  from(name: Name): readonly State[] {
    return this.definition.moves[name].from;
  }

  /** The states that a row in this state can get to, in the order of the table; itself only where a move stays. */
  nextStates(state: State): State[] {
    const moves: readonly Move<State>[] = Object.values(this.definition.moves);
    const next = new Set(moves.filter(({ from }) => from.includes(state)).map(({ to }) => to));
    return this.states.filter((candidate) => next.has(candidate));
  }

  /** Holds for rows, each called `item`, that a move can be made of. */
  canMove(name: Name): Sql {
    const { from, guard } = this.definition.moves[name];
    return sql`item.status = ANY(${[...from]}::text[]) ${guard ? sql`AND ${guard.condition}` : sql``}`;
  }

  /**
   * Moves the rows that can be moved; answers the first of them as `returning` describes it, or undefined where there
   * is none.
   */
  async tryMove<Row = object>(
    em: EntityManager,
    name: Name,
    { where, set, returning }: MoveOf,
  ): Promise<Row | undefined> {
    const { to } = this.definition.moves[name];
    const { rows } = await sql<Row>`
      UPDATE ${sql.table(this.definition.table)} AS item SET status = ${to}${set ? sql`, ${set}` : sql``}
      WHERE ${where} AND ${this.canMove(name)}
      RETURNING ${returning ?? sql`item.id`}`.execute(em.getKysely());
    return rows[0];
  }

  /**
   * Makes the first of these moves that can be made, each with what else it changes. Throws `Invalid` under `status`,
   * with the present status, where none can be made; `NotFound`.
   */
  async move(
    em: EntityManager,
    where: Sql,
    ways: readonly { readonly move: Name; readonly set?: Sql }[],
  ): Promise<void> {
    // Twice: between two tries another process may have moved the row from the state of one to that of the other.
    for (const { move, set } of [...ways, ...ways])
      if (await this.tryMove(em, move, { where, ...(set && { set }) })) return;
    const { noun, table, moves } = this.definition;
    const { rows } = await sql<{ status: State }>`
      SELECT item.status FROM ${sql.table(table)} item WHERE ${where}`.execute(em.getKysely());
    const status = rows[0]?.status;
    if (status === undefined) throw new NotFound();
    const guard = ways.map(({ move }) => moves[move]).find(({ from }) => from.includes(status))?.guard;
    const wanted = ways.flatMap(({ move }) => moves[move].from).join(' or ');
    const reason = guard ? `, and ${guard.reason}.` : `. It must be ${wanted} for this.`;
    throw new Invalid({ status: [`The ${noun}'s status is ${status}${reason}`] });
  }
}

/** Makes a machine of its table. */
export const stateMachine = <const State extends string, const Name extends string>(
  definition: MachineTable<State, Name>,
): StateMachine<State, Name> => new StateMachine(definition);
