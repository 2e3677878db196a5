/** Unix milliseconds. */
export type Millis = number;
/** 0 or 1: both databases keep flags as integers, so that queries are the same. */
export type Flag = 0 | 1;
/** JSON as text. */
export type JsonText = string;
