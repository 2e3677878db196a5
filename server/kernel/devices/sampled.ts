/** The readings of a status report that are kept. A report has at least one of them. */
export const SAMPLED = ['signal', 'temperature', 'sent', 'received', 'router_uptime'] as const;
