import type { Configuration } from './configuration.js';
import type { SecretBox } from './crypto/secret-box.js';
import type { FileStorage } from './storage/file-storage.js';

// Values that every process injects: `constructor(private readonly settings: Settings)`. Each class is the injection
// token; the interface of the same name describes the value.
/* oxlint-disable typescript/no-unsafe-declaration-merging */

/** The configuration. */
export abstract class Settings {}
export interface Settings extends Configuration {}

/** Seals and opens stored secrets. */
export abstract class Secrets {}
export interface Secrets extends SecretBox {}

/** The storage of exported and uploaded files. */
export abstract class Files {}
export interface Files extends FileStorage {}
