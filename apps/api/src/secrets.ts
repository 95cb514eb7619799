import type { SecretBox } from '#platform/crypto/secret-box.js';

/** Seals and opens stored secrets, to be injected: `constructor(private readonly secrets: Secrets)`. */
// The class is the injection token, the interface of the same name says what is behind it.
// oxlint-disable-next-line typescript/no-unsafe-declaration-merging
export abstract class Secrets {}
export interface Secrets extends SecretBox {}
