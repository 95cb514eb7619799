/** The MikroORM context of long reads, for `@InjectEntityManager`: on DATABASE_READ_URL if it is set. */
export const REPLICA = 'replica';
