import { defineEntity, p } from '@mikro-orm/core';
import { externalKey, references } from '../../kernel/schema/columns.js';

/** A framework for the classification of threats. */
export const ThreatFramework = defineEntity({
  name: 'ThreatFramework',
  tableName: 'threat_framework',
  properties: {
    id: externalKey(),
    slug: p.text().unique(),
    name: p.text(),
    /** Its edition; if it is published by domain, the edition of each, such as `Enterprise 18, ICS 18`. */
    version: p.text(),
    url: p.text(),
  },
});

/** A class of a framework. */
export const ThreatFrameworkEntry = defineEntity({
  name: 'ThreatFrameworkEntry',
  tableName: 'threat_framework_entry',
  properties: {
    frameworkId: references('threat_framework', { onDelete: 'cascade' }).primary(),
    entryId: p.text().primary(),
    name: p.text(),
    url: p.text(),
    position: p.integer(),
    /** The part of the framework that is published in a file of its own, such as `ICS`; empty without parts. */
    domain: p.text().default(''),
    /** False once a newer edition no longer has it. Threats may still refer to it. */
    active: p.boolean().default(true),
  },
});
