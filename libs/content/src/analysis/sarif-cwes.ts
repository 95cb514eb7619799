import {
  type ComponentReference,
  type DescriptorReference,
  list,
  plain,
  type Plain,
  name as nameOf,
  referenceOf,
  text,
} from './sarif-values.js';
import { REPORT_LIMITS, subjectsIn } from './report-limits.js';

/** Names of the property in which tools list CWEs, without separators and in lower case. */
const CWE_PROPERTIES = new Set(['cwe', 'cwes', 'cweid', 'cweids']);
/** The taxonomy that MITRE and Microsoft publish for SARIF. */
const CWE_GUID = 'ffc64c90-42b6-44ce-8beb-f6b7dae649e5';
const CWE_NAME = /^cwe(?![a-z])|^common weakness enumeration/i;
const CWE_NUMBER = /^0*([1-9]\d{0,5})$/;
/** Kinds of relationships that say that a rule is not about the entry of the taxonomy. */
const UNRELATED = new Set(['disjoint', 'incomparable']);

/** The CWE of a value such as `338`, which is known to be a CWE. */
const cweOfNumber = (value: unknown): string[] => {
  const [, number] = CWE_NUMBER.exec(typeof value === 'number' ? String(value) : (text(value)?.trim() ?? '')) ?? [];
  return number === undefined ? [] : [`CWE-${number}`];
};

/** The CWEs of a property for CWEs: a number, a text such as `CWE-89: SQL injection`, an object with one, or a list. */
function cwesOfProperty(value: unknown): string[] {
  const values = Array.isArray(value) ? (value as unknown[]) : [value];
  return values.slice(0, REPORT_LIMITS.keys).flatMap((entry) => {
    const known = typeof entry === 'object' ? (plain(entry)['id'] ?? plain(entry)['name']) : entry;
    return [...cweOfNumber(known), ...subjectsIn([text(known)])];
  });
}

/** What a rule or result refers to by its texts and properties. */
export function namedSubjects({ id, name, ruleId, properties }: Plain): string[] {
  const { tags } = plain(properties);
  const texts = [id, name, ruleId, ...list(tags)].map(text);
  const cwes = Object.entries(plain(properties)).flatMap(([key, value]) =>
    CWE_PROPERTIES.has(key.toLowerCase().replace(/[-_ ]/g, '')) ? cwesOfProperty(value) : [],
  );
  return [...subjectsIn(texts), ...cwes];
}

/** The entries of taxonomies that a rule is related to. */
export const relatedTaxa = ({ relationships }: Plain): DescriptorReference[] =>
  list(relationships)
    .slice(0, REPORT_LIMITS.keys)
    .map(plain)
    .filter(({ kinds }) => !list(kinds).length || list(kinds).some((kind) => !UNRELATED.has(String(kind))))
    .map(({ target }) => referenceOf(target));

/** The entries of taxonomies that a result belongs to. */
export const taxaOfResult = ({ taxa }: Plain): DescriptorReference[] =>
  list(taxa).slice(0, REPORT_LIMITS.keys).map(referenceOf);

/** A taxonomy of a run, or a component of its tool that has entries of one. */
interface Taxonomy {
  name?: string | undefined;
  guid?: string | undefined;
  readonly idByIndex: Map<number, string>;
  readonly idByGuid: Map<string, string>;
}

type Indexed = Readonly<Record<'byGuid' | 'byName', ReadonlyMap<string | undefined, Taxonomy>>>;

/** The taxonomies of a run, and how rules and results refer to them. */
export class Taxonomies {
  private readonly byPlace = new Map<string, Taxonomy>();
  private readonly nameByGuid = new Map<string, string>();
  private taxa = 0;
  /** Derived once the run was read, because a log can have thousands of references. */
  private known: Indexed | undefined;

  /** Sets the name or guid of the taxonomy at a place, such as `taxonomies 0`. */
  describe(place: string, known: { readonly name?: string | undefined; readonly guid?: string | undefined }): void {
    Object.assign(this.at(place), known);
  }

  /**
   * Adds an entry of a taxonomy. Beyond a limit, entries are ignored: most references contain the number of the CWE.
   */
  addTaxon(place: string, index: number, entry: unknown): void {
    this.taxa += 1;
    const { id, guid } = referenceOf(entry);
    if (this.taxa > REPORT_LIMITS.subjects || id === undefined) return;
    const { idByIndex, idByGuid } = this.at(place);
    idByIndex.set(index, id);
    if (guid !== undefined) idByGuid.set(guid, id);
  }

  /** Adds an entry of `supportedTaxonomies`, which names a taxonomy. */
  addSupported(entry: unknown): void {
    const { name, guid } = plain(entry);
    if (this.nameByGuid.size < REPORT_LIMITS.keys && text(guid) !== undefined)
      this.nameByGuid.set(String(guid).toLowerCase(), nameOf(name) ?? '');
  }

  /** The CWEs that a reference means; none if it refers to another taxonomy. Call it after the whole run was read. */
  cwesOf({ id, guid, index, component = {} }: DescriptorReference): string[] {
    const taxonomy = this.find(component);
    const name = component.name ?? taxonomy?.name ?? this.nameByGuid.get(component.guid ?? '') ?? '';
    const taxon =
      id ?? taxonomy?.idByGuid.get(guid ?? '') ?? (index === undefined ? undefined : taxonomy?.idByIndex.get(index));
    if (taxon === undefined) return [];
    if (CWE_NAME.test(name) || (component.guid ?? taxonomy?.guid) === CWE_GUID)
      return [...cweOfNumber(taxon), ...subjectsIn([taxon])];
    return subjectsIn([taxon]).filter((subject) => subject.startsWith('CWE-'));
  }

  private find({ name, guid, index }: ComponentReference): Taxonomy | undefined {
    const { byGuid, byName } = (this.known ??= this.indexed());
    return (
      (guid === undefined ? undefined : byGuid.get(guid)) ??
      (name === undefined ? undefined : byName.get(name)) ??
      this.byPlace.get(`taxonomies ${index ?? ''}`) ??
      this.byPlace.get(`extensions ${index ?? ''}`)
    );
  }

  private indexed(): Indexed {
    const all = [...this.byPlace.values()];
    return {
      byGuid: new Map(all.map((taxonomy) => [taxonomy.guid, taxonomy])),
      byName: new Map(all.map((taxonomy) => [taxonomy.name, taxonomy])),
    };
  }

  private at(place: string): Taxonomy {
    const taxonomy = this.byPlace.get(place) ?? { idByIndex: new Map(), idByGuid: new Map() };
    if (this.byPlace.size < REPORT_LIMITS.keys) this.byPlace.set(place, taxonomy);
    return taxonomy;
  }
}
