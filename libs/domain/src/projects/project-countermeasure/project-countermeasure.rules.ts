/** `1-T2` or `T2`: a countermeasure from the library or a project-specific one. */
export const PROJECT_COUNTERMEASURE_ID = /^(?:([1-9]\d{0,17})-)?((?:C?T|PT)[1-9]\d{0,8})$/;

/** The same without the project. */
export const TASK_ID = /^(?:C?T|PT)[1-9]\d{0,8}$/;

/** The results of verification, from best to worst: if several are combined, the worst counts. */
export const VERIFICATIONS = ['pass', 'partial', 'fail'] as const;

export const VERIFICATION_STATUSES = ['none', ...VERIFICATIONS] as const;
