const EVENTS = {
  insert: 'NEW TABLE AS changed',
  update: 'OLD TABLE AS former NEW TABLE AS changed',
  delete: 'OLD TABLE AS changed',
} as const;

type Event = keyof typeof EVENTS;

/**
 * Statement-level triggers of a table whose content decides what projects contain. They are in the database so that
 * they fire for every writer. `schema/functions.sql` defines the relevant columns.
 */
export const changeTriggers = (table: string) =>
  (Object.keys(EVENTS) as Event[]).map((event) => ({
    name: `note_${event}`,
    timing: 'after' as const,
    events: [event],
    forEach: 'statement' as const,
    expression: `CREATE TRIGGER note_${event} AFTER ${event.toUpperCase()} ON ${table}
      REFERENCING ${EVENTS[event]} FOR EACH STATEMENT EXECUTE FUNCTION note_change_of_${table}()`,
  }));
