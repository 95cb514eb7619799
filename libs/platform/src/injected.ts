import type { Configuration } from './configuration.js';
import type { SecretBox } from './crypto/secret-box.js';
import type { FileStorage } from './storage/file-storage.js';

// What every process injects: `constructor(private readonly settings: Settings)`. Each class is the injection token,
// and the interface of the same name says what is behind it.
/* oxlint-disable typescript/no-unsafe-declaration-merging */

/** The configuration. */
export abstract class Settings {}
export interface Settings extends Configuration {}

/** Seals and opens stored secrets. */
export abstract class Secrets {}
export interface Secrets extends SecretBox {}

/** Where files are kept. */
export abstract class Files {}
export interface Files extends FileStorage {}
