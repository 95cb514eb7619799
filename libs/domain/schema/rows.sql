-- Rows that nothing works without and that are the same for everybody.
INSERT INTO task_status (id, meaning, name, slug, icon) VALUES
  (1, 'DONE', 'Complete', 'complete', 'check'),
  (2, 'TODO', 'Incomplete', 'incomplete', 'clock-o'),
  (3, 'NA', 'Not Applicable', 'not-applicable', 'minus-circle');
