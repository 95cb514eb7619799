/** The explanation of a countermeasure, as the API shows it. */
export interface Explanation {
  id: string;
  task_id: string;
  title: string;
  relevant: boolean;
  relevant_via_survey: boolean;
  accepted: boolean;
  manually_added: boolean;
  active: boolean;
  matched_by: string;
  reasons: { effect: string; type: string; ref: string | null; text: string }[];
  conditions: { id: string; holds: boolean; required: object[]; excluded: object[] }[];
  weakness: { id: string; in_project: boolean; conditions: { holds: boolean }[] } | null;
  introduced_by: { id: string; in_project: boolean }[];
  implemented_by: { id: string; in_project: boolean }[];
}
