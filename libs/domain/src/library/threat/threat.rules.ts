/** Bounds of a threat's severity. */
export const SEVERITY = { minimum: 1, maximum: 10 };

/** The fields of a threat that reference framework entries, with the framework's slug. */
export const FRAMEWORKS = {
  maestro: 'maestro',
  mitre_attack: 'mitre-attack',
  mitre_emb3d: 'mitre-emb3d',
  stride: 'stride',
} as const;

export type FrameworkField = keyof typeof FRAMEWORKS;

export const FRAMEWORK_FIELDS = Object.keys(FRAMEWORKS) as FrameworkField[];

/** Maximum length of the id of a framework entry. */
export const MAX_ENTRY_ID_LENGTH = 100;
