import { domainEvent } from '../../kernel/domain-events.js';

/** An organization is being made. Handlers add what every organization has from the beginning. */
export const organizationCreated = domainEvent<{ readonly organizationId: number }>('organization created');
