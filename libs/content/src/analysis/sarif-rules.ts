import { REPORT_LIMITS, UnreadableReport } from './report-limits.js';
import { namedSubjects, relatedTaxa } from './sarif-cwes.js';
import { type ComponentReference, type DescriptorReference, name, plain, referenceOf } from './sarif-values.js';

const DRIVER = 'driver';

/** A rule that a component of the tool declares. */
export interface Rule {
  readonly id: string;
  readonly subjects: string[];
  readonly taxa: DescriptorReference[];
  enabledByDefault: boolean;
}

/** A component of a tool: its driver, or an extension. */
interface Component {
  name?: string | undefined;
  guid?: string | undefined;
  readonly byIndex: Map<number, Rule>;
  readonly byId: Map<string, Rule>;
  readonly byGuid: Map<string, Rule>;
}

/** The rules of a tool, and how results refer to them: by id, index or guid, within the driver or an extension. */
export class SarifRules {
  private readonly components = new Map<string, Component>();

  constructor(private readonly counted: () => void) {}

  /** Sets the name or guid of a component: `driver` or `extensions 0`. */
  describe(place: string, known: { readonly name?: string | undefined; readonly guid?: string | undefined }): void {
    Object.assign(this.at(place), known);
  }

  /** Adds an entry of `rules`. Throws `UnreadableReport` if there are too many. */
  add(place: string, index: number, entry: unknown): void {
    this.counted();
    const descriptor = plain(entry);
    const { byIndex, byId, byGuid } = this.at(place);
    const id = name(descriptor['id']);
    const { guid } = referenceOf(descriptor);
    // A rule that is listed twice is one rule; otherwise, one of the two would seem to have no results.
    const present = id === undefined ? undefined : byId.get(id);
    const rule = present ?? { id: id ?? `#${index}`, subjects: [], taxa: [], enabledByDefault: true };
    rule.subjects.push(...namedSubjects(descriptor));
    rule.taxa.push(...relatedTaxa(descriptor));
    if (plain(descriptor['defaultConfiguration'])['enabled'] === false) rule.enabledByDefault = false;
    byIndex.set(index, rule);
    if (id !== undefined) byId.set(id, rule);
    if (guid !== undefined) byGuid.set(guid, rule);
  }

  get all(): Rule[] {
    return [...new Set([...this.components.values()].flatMap(({ byIndex }) => [...byIndex.values()]))];
  }

  /**
   * The rules that a reference means: the most specific one first, then those that it is a part of. A result of
   * `CA3001/1` belongs to the rule `CA3001` too.
   */
  find({ id, guid, index, component }: DescriptorReference): Rule[] {
    const named = this.component(component);
    const byId = idsAbove(id).flatMap((part) => {
      const within = component && named?.byId.get(part);
      return within ?? [...this.components.values()].flatMap(({ byId: rules }) => rules.get(part) ?? []);
    });
    if (byId.length) return byId;
    const byGuid = [...this.components.values()].flatMap(({ byGuid: rules }) => rules.get(guid ?? '') ?? []);
    if (byGuid.length) return byGuid;
    const byIndex = index === undefined ? undefined : named?.byIndex.get(index);
    return byIndex ? [byIndex] : [];
  }

  private component(reference: ComponentReference = {}): Component | undefined {
    const { name: componentName, guid, index } = reference;
    const all = [...this.components.values()];
    return (
      (index === undefined ? undefined : this.components.get(`extensions ${index}`)) ??
      (guid === undefined ? undefined : all.find((component) => component.guid === guid)) ??
      (componentName === undefined ? undefined : all.find((component) => component.name === componentName)) ??
      this.components.get(DRIVER)
    );
  }

  private at(place: string): Component {
    const present = this.components.get(place);
    if (present) return present;
    if (this.components.size === REPORT_LIMITS.components)
      throw new UnreadableReport(`A tool of the report has more than ${REPORT_LIMITS.components} components.`);
    const component = {
      byIndex: new Map<number, Rule>(),
      byId: new Map<string, Rule>(),
      byGuid: new Map<string, Rule>(),
    };
    this.components.set(place, component);
    return component;
  }
}

/** A hierarchical id and those of its parents: `CA3001/1`, `CA3001`. */
function idsAbove(id: string | undefined): string[] {
  if (id === undefined) return [];
  const ids = [id];
  for (
    let end = id.lastIndexOf('/');
    end > 0 && ids.length < REPORT_LIMITS.ruleLevels;
    end = id.lastIndexOf('/', end - 1)
  )
    ids.push(id.slice(0, end));
  return ids;
}
