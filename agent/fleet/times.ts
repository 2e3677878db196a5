/** How simulated devices keep their connections. */
export const KEEPALIVE_SECONDS = 60;
export const PING_AFTER_SECONDS = 40;
export const MAX_PAUSE_SECONDS = 60;
export const REFUSED_PAUSE_SECONDS = 30;
export const GOODBYE_SECONDS = 0.2;
export const RECONNECT_SECONDS = 0.3;
export const DETAILS_PERIOD_MS = 900_000;
