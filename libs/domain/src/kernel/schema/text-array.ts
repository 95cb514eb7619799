import { ArrayType, p } from '@mikro-orm/core';

/** In double quotes, only `"` and `\` have to be escaped. */
const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

/**
 * Converts texts to a PostgreSQL array literal. All are quoted: otherwise the text `null` would become NULL, and
 * leading and trailing blanks would be lost (https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO).
 */
class TextArray extends ArrayType {
  override convertToDatabaseValue(texts: string[] | null): string | null {
    return texts && `{${texts.map(quoted).join(',')}}`;
  }
}

export const textArray = <Text extends string = string>() => p.type(new TextArray()).$type<Text[]>();
