import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Sql } from '#query/query-context.js';
import { Invalid, NotFound } from './domain-errors.js';

/** A transition: its source states, its target state, and an optional condition on other columns of the row. */
export interface Move<State extends string> {
  readonly from: readonly State[];
  readonly to: State;
  /** A condition on the row `item`, and the reason that the error gives if it is not met. */
  readonly guard?: { readonly condition: Sql; readonly reason: string };
}

/** The definition of a state machine: its states, the initial one, and all moves. */
export interface MachineTable<State extends string, Name extends string> {
  /** The name of a row in error messages: `export job`. */
  readonly noun: string;
  /** The database table, which stores the state in the column `status`. */
  readonly table: string;
  readonly states: readonly State[];
  readonly initial: State;
  readonly moves: Readonly<Record<Name, Move<State>>>;
}

/** Which rows to move, what else to assign, and what to return of the first row. */
export interface MoveOptions {
  /** A condition on the rows `item`: one by its id, or all that match. */
  readonly where: Sql;
  /** Further assignments: `completed_at = now()`. */
  readonly set?: Sql;
  readonly returning?: Sql;
}

/**
 * The only code that assigns a status. A move is one `UPDATE … WHERE status IN (<from>)`: if two processes make it at
 * the same time, only one succeeds, and undefined moves are impossible.
 */
export class StateMachine<State extends string, Name extends string> {
  constructor(readonly definition: MachineTable<State, Name>) {}

  /** All states. The entity uses them for the column's type and check constraint. */
  get states(): readonly State[] {
    return this.definition.states;
  }

  /** The states in which a move is allowed. */
  from(name: Name): readonly State[] {
    return this.definition.moves[name].from;
  }

  /**
   * The states that are reachable by one move, in the order of the definition; includes the state itself only if a move
   * returns to it.
   */
  nextStates(state: State): State[] {
    const moves: readonly Move<State>[] = Object.values(this.definition.moves);
    const next = new Set(moves.filter(({ from }) => from.includes(state)).map(({ to }) => to));
    return this.states.filter((candidate) => next.has(candidate));
  }

  /** The condition that a row `item` can make a move. */
  canMove(name: Name): Sql {
    const { from, guard } = this.definition.moves[name];
    return sql`item.status = ANY(${[...from]}::text[]) ${guard ? sql`AND ${guard.condition}` : sql``}`;
  }

  /**
   * Moves all rows that can be moved. Returns the `returning` columns of the first one, or undefined if none was moved.
   */
  async tryMove<Row = object>(
    em: EntityManager,
    name: Name,
    { where, set, returning }: MoveOptions,
  ): Promise<Row | undefined> {
    const { to } = this.definition.moves[name];
    const { rows } = await sql<Row>`
      UPDATE ${sql.table(this.definition.table)} AS item SET status = ${to}${set ? sql`, ${set}` : sql``}
      WHERE ${where} AND ${this.canMove(name)}
      RETURNING ${returning ?? sql`item.id`}`.execute(em.getKysely());
    return rows[0];
  }

  /**
   * Makes the first of these moves that is possible. Throws `NotFound`, or `Invalid` for `status`, naming the current
   * status, if none is possible.
   */
  async move(
    em: EntityManager,
    where: Sql,
    alternatives: readonly { readonly move: Name; readonly set?: Sql }[],
  ): Promise<void> {
    // Tries each move twice, because another process may change the row's state between two attempts.
    for (const { move, set } of [...alternatives, ...alternatives])
      if (await this.tryMove(em, move, { where, ...(set && { set }) })) return;
    const { noun, table, moves } = this.definition;
    const { rows } = await sql<{ status: State }>`
      SELECT item.status FROM ${sql.table(table)} item WHERE ${where}`.execute(em.getKysely());
    const status = rows[0]?.status;
    if (status === undefined) throw new NotFound();
    const guard = alternatives.map(({ move }) => moves[move]).find(({ from }) => from.includes(status))?.guard;
    const allowedStates = alternatives.flatMap(({ move }) => moves[move].from).join(' or ');
    const reason = guard ? `, and ${guard.reason}.` : `. It must be ${allowedStates}.`;
    throw new Invalid({ status: [`The ${noun}'s status is ${status}${reason}`] });
  }
}

export const stateMachine = <const State extends string, const Name extends string>(
  definition: MachineTable<State, Name>,
): StateMachine<State, Name> => new StateMachine(definition);
