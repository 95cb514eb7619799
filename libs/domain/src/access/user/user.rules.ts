/** Unicode code points of a first or last name. */
export const MAX_PERSON_NAME_LENGTH = 150;

export const MAX_EMAIL_LENGTH = 254;

// No colon and no quotes before the @, because with HTTP Basic the first colon ends the e-mail address.
const LOCAL_PART = "[\\w!#$%&'*+/=?^`{|}~-]+(?:\\.[\\w!#$%&'*+/=?^`{|}~-]+)*";
const LABEL = '[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]{0,61}[\\p{L}\\p{N}])?';
const EMAIL = new RegExp(`^${LOCAL_PART}@(?:localhost|(?:${LABEL}\\.)+${LABEL})$`, 'u');

/** Whether a text can be an e-mail address. */
export const isEmail = (text: string): boolean =>
  text.length <= MAX_EMAIL_LENGTH && text.indexOf('@') <= 64 && EMAIL.test(text);
