/** The events that an automation can trigger. */
export const AUTOMATION_EVENTS = ['project_refresh', 'library_refresh', 'webhook_test'] as const;

export type AutomationEvent = (typeof AUTOMATION_EVENTS)[number];
