import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

export type MemberType = 'string' | 'number' | 'boolean' | 'time';

/** A measure or dimension of the model. */
export interface Member {
  /** `Cube.member`. */
  readonly name: string;
  readonly cube: string;
  readonly kind: 'measure' | 'dimension';
  readonly type: MemberType;
  /** The aggregation of a measure, such as `count`. */
  readonly aggType?: string;
  readonly format?: 'percent';
  /** The title with the cube's title in front, and without it. */
  readonly title: string;
  readonly shortTitle: string;
  readonly description?: string;
  /** A global permission that is required in addition to the permission to run reports. */
  readonly permission?: string;
}

export interface Cube {
  readonly name: string;
  readonly title: string;
  /** Whether queries may name it. Bridges only connect other cubes. */
  readonly isPublic: boolean;
  readonly joins: readonly string[];
  readonly members: readonly Member[];
}

/** The reporting model: cubes by name, and their public members by full name. */
export interface Model {
  readonly cubes: ReadonlyMap<string, Cube>;
  readonly members: ReadonlyMap<string, Member>;
}

/** A model file with its text, in the format of Cube's compiler. */
export interface ModelFile {
  readonly fileName: string;
  readonly content: string;
}

interface MemberDeclaration {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly type: string;
  readonly format?: 'percent';
  readonly public?: boolean;
  readonly meta?: { readonly permission: string };
}

interface CubeDeclaration {
  readonly name: string;
  readonly title?: string;
  readonly public?: boolean;
  readonly joins?: readonly { readonly name: string }[];
  readonly dimensions?: readonly MemberDeclaration[];
  readonly measures?: readonly MemberDeclaration[];
}

const FOLDER = fileURLToPath(new URL('../model', import.meta.url));

/** The bundled model files. A Cube deployment mounts the same files. */
export const readModelFiles = (): ModelFile[] =>
  readdirSync(FOLDER)
    .filter((name) => name.endsWith('.yml'))
    .sort()
    .map((fileName) => ({ fileName, content: readFileSync(path.join(FOLDER, fileName), 'utf8') }));

function memberOf(cube: CubeDeclaration, kind: Member['kind'], declaration: MemberDeclaration): Member {
  const shortTitle = declaration.title ?? declaration.name;
  return {
    name: `${cube.name}.${declaration.name}`,
    cube: cube.name,
    kind,
    // Every measure is a number, whatever it aggregates.
    type: kind === 'measure' ? 'number' : (declaration.type as MemberType),
    ...(kind === 'measure' && { aggType: declaration.type }),
    ...(declaration.format && { format: declaration.format }),
    title: `${cube.title ?? cube.name} ${shortTitle}`,
    shortTitle,
    ...(declaration.description !== undefined && { description: declaration.description }),
    ...(declaration.meta && { permission: declaration.meta.permission }),
  };
}

function declaredCube(declaration: CubeDeclaration): Cube {
  const { measures = [], dimensions = [], joins = [] } = declaration;
  const isPublic = (member: MemberDeclaration): boolean => member.public !== false;
  return {
    name: declaration.name,
    title: declaration.title ?? declaration.name,
    isPublic: declaration.public !== false,
    joins: joins.map(({ name }) => name),
    members: [
      ...measures.filter(isPublic).map((member) => memberOf(declaration, 'measure', member)),
      ...dimensions.filter(isPublic).map((member) => memberOf(declaration, 'dimension', member)),
    ],
  };
}

/** Parses model files. */
export function readModel(files: readonly ModelFile[] = readModelFiles()): Model {
  const cubes = files
    .flatMap(({ content }) => (parse(content) as { cubes: CubeDeclaration[] }).cubes)
    .map(declaredCube)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return {
    cubes: new Map(cubes.map((cube) => [cube.name, cube])),
    members: new Map(
      cubes.filter(({ isPublic }) => isPublic).flatMap(({ members }) => members.map((m) => [m.name, m])),
    ),
  };
}

/** The cube of a member: the part before the first dot. */
export const cubeOf = (member: string): string => member.slice(0, member.indexOf('.'));

/** The type of a member, including those of cubes that are not public. */
export const typeOf = ({ cubes }: Model, name: string): MemberType | undefined =>
  cubes.get(cubeOf(name))?.members.find((member) => member.name === name)?.type;

let builtIn: Model | undefined;

/** The bundled model. */
export const reportingModel = (): Model => (builtIn ??= readModel());
