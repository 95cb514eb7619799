import { domainEvent } from '../../kernel/domain-events.js';

/** An organization is being created. Handlers add what every organization starts with. */
export const organizationCreated = domainEvent<{ readonly organizationId: number }>('organization created');
