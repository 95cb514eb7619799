import type { Configuration } from '#platform/configuration.js';

/** Injection token of the configuration: `constructor(private readonly settings: Settings)`. */
export abstract class Settings {}
export interface Settings extends Configuration {}
