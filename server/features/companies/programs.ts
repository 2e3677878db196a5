import { sql } from 'kysely';

/** How many of a company's memberships are those of programs (service accounts), which are no people and belong to no other company. */
export const programsCount = sql<number>`(select count(*) from service_accounts where service_accounts.company_id = companies.id)`;
