/**
 * Describes the schema of the product's own tables, with one line for each column, constraint, index and so on. The
 * order of columns is ignored, because it has no meaning.
 */
export const SCHEMA_FORM = `
  SELECT format('column %s.%s %s%s identity:%s generated:%s default:%s', c.relname, attname,
      format_type(atttypid, atttypmod), CASE WHEN attnotnull THEN ' not null' END, attidentity, attgenerated,
      pg_get_expr(adbin, adrelid)) AS line
  FROM pg_attribute JOIN pg_class c ON c.oid = attrelid LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
  WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND attnum > 0 AND NOT attisdropped
    AND relname NOT LIKE 'mikro_orm%'
  UNION ALL
  SELECT 'index ' || indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename NOT LIKE 'mikro_orm%'
  UNION ALL
  SELECT format('constraint %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) FROM pg_constraint
  WHERE connamespace = 'public'::regnamespace AND conrelid::regclass::text NOT LIKE 'mikro_orm%'
  UNION ALL
  SELECT format('row-level security of %s: enabled:%s forced:%s', relname, relrowsecurity, relforcerowsecurity)
  FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname NOT LIKE 'mikro_orm%'
  UNION ALL
  SELECT format('policy %s.%s %s for %s to %s using %s check %s', tablename, policyname, permissive, cmd, roles, qual,
    with_check)
  FROM pg_policies WHERE schemaname = 'public'
  UNION ALL
  SELECT pg_get_triggerdef(oid) || ' ' || tgenabled::text FROM pg_trigger WHERE NOT tgisinternal
  UNION ALL
  SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    AND prolang IN (SELECT oid FROM pg_language WHERE lanname IN ('plpgsql', 'sql'))`;
