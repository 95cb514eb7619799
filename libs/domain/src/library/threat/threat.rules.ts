/** The severity of a threat. */
export const SEVERITY = { minimum: 1, maximum: 10 };

/** The fields of a threat that name entries of a framework, and the framework's slug. */
export const FRAMEWORKS = {
  maestro: 'maestro',
  mitre_attack: 'mitre-attack',
  mitre_emb3d: 'mitre-emb3d',
  stride: 'stride',
} as const;

export type FrameworkField = keyof typeof FRAMEWORKS;

export const FRAMEWORK_FIELDS = Object.keys(FRAMEWORKS) as FrameworkField[];

/** Characters of the id of a framework's entry. */
export const ENTRY_ID_MAXIMUM_LENGTH = 100;
