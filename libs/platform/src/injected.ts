import type { Configuration } from './configuration.js';

/** The configuration, to be injected: `constructor(private readonly settings: Settings)`. */
// The class is the injection token; the interface of the same name describes the value.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export abstract class Settings {}
export interface Settings extends Configuration {}
