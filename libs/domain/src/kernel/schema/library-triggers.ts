const EVENTS = {
  insert: 'NEW TABLE AS changed',
  update: 'OLD TABLE AS former NEW TABLE AS changed',
  delete: 'OLD TABLE AS changed',
} as const;

type Event = keyof typeof EVENTS;

/**
 * The triggers of a table that decides what projects contain: once for each statement, however many rows it has. They
 * are in the database, so that they hold for whatever writes. `schema/functions.sql` says which columns decide.
 */
export const noteChanges = (table: string) =>
  (Object.keys(EVENTS) as Event[]).map((event) => ({
    name: `note_${event}`,
    timing: 'after' as const,
    events: [event],
    forEach: 'statement' as const,
    expression: `CREATE TRIGGER note_${event} AFTER ${event.toUpperCase()} ON ${table}
      REFERENCING ${EVENTS[event]} FOR EACH STATEMENT EXECUTE FUNCTION note_change_of_${table}()`,
  }));
