// The responses of the API according to the specification. Fields of includes are optional.

export interface UserReference {
  id: number;
  email: string;
  first_name: string;
  last_name: string;
}

export interface MatchCondition {
  id: string;
  db_id: number;
  required: string[];
  excluded: string[];
}

/** A match condition with the flag `DECISION_ENGINE` on. */
export interface AttributeCondition {
  id: string;
  db_id: number;
  required_attributes: string[];
  excluded_attributes: string[];
}

export interface Attribute {
  id: string;
  db_id: number;
  name: string;
  description: string;
  type: 'Built-in' | 'Custom';
  is_custom: boolean;
  active: boolean;
  parent: string | null;
  path: string[];
  depth: number;
  created: string;
  updated: string;
}

export type ContentType = 'Built-in' | 'Built-in Modified' | 'Custom';

export interface Countermeasure {
  id: string;
  db_id: number;
  url: string;
  title: string;
  text: string;
  problem: string;
  priority: number;
  phase: string;
  active: boolean;
  type: ContentType;
  created_by: UserReference;
  created_date: string;
  last_updated_by: UserReference;
  last_updated_date: string;
  match_conditions?: MatchCondition[];
  tags?: string[];
  categories?: string[];
  verification_coverage?: string[];
  how_tos?: object[];
  amendments?: object[];
}

export interface Weakness {
  id: string;
  db_id: number;
  url: string;
  title: string;
  text: string;
  risk_rating: number;
  type: ContentType;
  cwe: number[];
  created: string;
  updated: string;
  last_updated_by: UserReference;
  active: boolean;
  category?: string;
  match_conditions?: MatchCondition[];
  related_tasks?: RelatedTask[];
}

export interface Threat {
  id: string;
  db_id: number;
  url: string;
  title: string;
  text: string;
  severity: number;
  type: ContentType;
  active: boolean;
  capecs: number[];
  problems: string[];
  maestro: string[];
  mitre_attack: string[];
  mitre_emb3d: string[];
  stride: string[];
  created_by: UserReference;
  created_date: string;
  last_updated_by: UserReference;
  last_updated_date: string;
  match_conditions?: MatchCondition[];
}

export interface RelatedTask {
  id: string;
  db_id: number;
  title: string;
  priority: number;
  text: string;
  phase: string;
  active: boolean;
}

/** A question of a component, with the answer on which it depends. */
export interface AskedQuestion {
  question: string;
  parent_answer: string | null;
}

export interface Component {
  id: string;
  db_id: number;
  url: string;
  type: ContentType;
  is_custom: boolean;
  title: string;
  description: string;
  category: string;
  created: string;
  updated: string;
  answer_mapping: string | null;
  tasks_implemented: string[];
  tasks_introduced: string[];
  hidden: boolean;
  implied_attributes: string[];
  icon_slug: string;
  icon_url: string;
  component_questions?: AskedQuestion[];
}

export interface ComponentQuestion {
  id: string;
  text: string;
  question_type: 'MC' | 'SC';
  answers: { id: string; text: string; description: string; attribute: string | null }[];
  components?: { id: string; title: string; parent_answer: string | null }[];
}

export interface Phase {
  id: string;
  name: string;
  ordinal: number;
}

export interface SurveyAnswer {
  id: string;
  text: string;
  attributes: string[];
}

export interface User {
  id: number;
  email: string;
  first_name: string;
  last_name: string;
  role: string;
  is_active: boolean;
  is_superuser: boolean;
  groups: string[];
}

export interface Group {
  id: string;
  name: string;
}

export interface BusinessUnit {
  id: number;
  name: string;
  slug: string;
  users: UserReference[];
  groups: { id: string; name: string }[];
  default_users: (UserReference & { role: string })[];
  default_groups: { id: string; name: string; role: string }[];
  all_users: boolean;
  persist_phases: boolean;
  default_risk_policy: number | null;
  created: string;
  updated: string;
}

export interface Application {
  id: number;
  name: string;
  slug: string;
  business_unit: { id: number; slug: string; name: string };
  priority: string;
  description: string;
  tags: string[];
  custom_attributes: Record<string, unknown>;
  created: string;
  updated: string;
  projects?: { id: number; name: string; slug: string; url: string; archived: boolean }[];
}

export interface Project {
  id: number;
  external_id: string;
  name: string;
  slug: string;
  url: string;
  description: string;
  application: number;
  profile: { id: string; name: string; logo_url: string | null; active: boolean } | null;
  archived: boolean;
  locked: boolean;
  creator: number;
  tags: string[];
  application_tags: string[];
  created: string;
  updated: string;
  users: (UserReference & { role: string })[];
  groups: { id: string; name: string; role: string }[];
  custom_attributes: Record<string, unknown>;
  parent: number | null;
  base_project: number | null;
  survey_complete: boolean;
  survey_dirty: boolean;
  risk_policy: number | null;
  risk_policy_compliant: boolean | null;
  content_refresh_locked: boolean;
  permissions?: string[];
  task_counts?: { total: number; complete: number; incomplete: number; not_applicable: number };
}

/** An unpaged list. */
export interface List<Item> {
  results: Item[];
}

/** A page of a list. */
export interface Page<Item> extends List<Item> {
  count: number;
  next: string | null;
  previous: string | null;
}
