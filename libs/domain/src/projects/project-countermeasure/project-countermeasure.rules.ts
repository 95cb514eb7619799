/** `1-T2` or `T2`: a countermeasure of the library, or one of the project's own. */
export const PROJECT_COUNTERMEASURE_ID = /^(?:([1-9]\d{0,17})-)?((?:C?T|PT)[1-9]\d{0,8})$/;

/** The same without its project. */
export const TASK_ID = /^(?:C?T|PT)[1-9]\d{0,8}$/;

/** What verification has found, in the order of its weight: where several are combined, the last of them counts. */
export const VERIFICATIONS = ['pass', 'partial', 'fail'] as const;

/** What verification has found of a countermeasure. */
export const VERIFICATION_STATUSES = ['none', ...VERIFICATIONS] as const;
