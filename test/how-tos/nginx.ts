import peggy from 'peggy';

/**
 * Directives of a configuration file of nginx: words, and then a semicolon or a block. See "Configuration File's
 * Structure" in nginx's Beginner's Guide. Names, and the number of their words, are not looked at.
 */
const GRAMMAR = String.raw`
  File = Space Directive*
  Directive = Word (Space Word)* Space (";" / "{" Space Directive* "}") Space
  Word = '"' ("\\" . / [^"\\])* '"' / "'" ("\\" . / [^'\\])* "'" / ("\\" . / "$" "{" [a-z0-9_]+ "}" / [^ \t\r\n;{}"'#\\])+
  Space = ([ \t\r\n] / "#" [^\n]*)*
`;

const parser = peggy.generate(GRAMMAR);

/** Throws where a text is no configuration of nginx. */
export const parseNginx = (code: string): void => void parser.parse(code);
