-- Rows that the service requires and that are the same in every deployment.
INSERT INTO task_status (id, meaning, name, slug, icon) VALUES
  (1, 'DONE', 'Complete', 'complete', 'check'),
  (2, 'TODO', 'Incomplete', 'incomplete', 'clock-o'),
  (3, 'NA', 'Not Applicable', 'not-applicable', 'minus-circle');
