import { ArrayType, p } from '@mikro-orm/core';

/** Between quotes, where `"` and `\` are all that has to be escaped. */
const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

/**
 * Texts as PostgreSQL reads them in an array, each in quotes: without, the text `null` would be no text, and blanks at
 * its ends would be lost (https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO).
 */
class TextArray extends ArrayType {
  override convertToDatabaseValue(texts: string[] | null): string | null {
    return texts && `{${texts.map(quoted).join(',')}}`;
  }
}

/** A column `text[]`. */
export const textArray = <Text extends string = string>() => p.type(new TextArray()).$type<Text[]>();
