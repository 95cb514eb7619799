/** Requests that refer to earlier responses, as the example in Swagger UI. */
export const EXAMPLE_REQUESTS = [
  {
    method: 'POST',
    path: 'library/problems/',
    reference_id: 'weakness',
    body: { title: 'Weak hashes', text: 'Passwords are hashed fast.', risk_rating: 7 },
  },
  {
    method: 'POST',
    path: 'library/tasks/',
    reference_id: 'countermeasure',
    body: {
      title: 'Hash passwords slowly',
      text: 'A fast hash leads to @{weakness.id}.',
      problem: '@{weakness.id}',
      phase: 'X3',
      priority: 8,
    },
  },
  {
    method: 'GET',
    path: 'library/tasks/@{countermeasure.id}/?expand=problem',
    reference_id: 'result',
  },
];

/** The responses in an organization without content of its own; real bodies have more fields. */
export const EXAMPLE_RESPONSES = [
  { reference_id: 'weakness', http_status_code: 200, body: { id: 'CP1', title: 'Weak hashes', risk_rating: 7 } },
  {
    reference_id: 'countermeasure',
    http_status_code: 200,
    body: { id: 'CT1', title: 'Hash passwords slowly', text: 'A fast hash leads to CP1.', problem: 'CP1', priority: 8 },
  },
  {
    reference_id: 'result',
    http_status_code: 200,
    body: { id: 'CT1', problem: { id: 'CP1', title: 'Weak hashes' }, phase: 'X3' },
  },
];
